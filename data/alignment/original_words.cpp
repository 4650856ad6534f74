#include "data/alignment/original_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace data {
namespace {

struct Side {
  Tokens words;
  std::vector<size_t> word;  // of each word of the record, the original one that it is part of
};

Side side_of(const std::optional<Original>& original, const Tokens& words, size_t id) {
  if (!original || original->spans.size() != words.size()) {
    throw std::runtime_error(
        fmt::format("sentence {}: the record does not say where its words stand in the original line; "
                    "records that align and translate write from lines of text do",
                    id + 1));
  }
  Side side;
  Spans places;
  for (const PlacedToken& token : place_tokens(original->line, {Tokenization::none})) {
    side.words.push_back(token.text);
    places.push_back(token.span());
  }
  for (const Span& span : original->spans) {
    const auto after = std::upper_bound(places.begin(), places.end(), span.begin,
                                        [](size_t at, const Span& place) { return at < place.begin; });
    side.word.push_back(static_cast<size_t>(after - places.begin()) - 1);
  }
  return side;
}

Links carried_over(const Links& links, const Side& source, const Side& target) {
  Links words;
  for (const Link& link : links) words.push_back({source.word[link.source], target.word[link.target]});
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule) {
  if (line.empty()) return std::nullopt;
  const std::vector<PlacedToken> placed = place_tokens(line, rule);
  const bool same = std::equal(placed.begin(), placed.end(), words.begin(), words.end(),
                               [](const PlacedToken& token, const std::string& word) { return token.text == word; });
  if (!same) return std::nullopt;
  Original result{line, {}};
  for (const PlacedToken& token : placed) result.spans.push_back(token.span());
  return result;
}

Record over_original_words(const Record& record) {
  if (record.source_kind != "words") {
    throw std::runtime_error(
        fmt::format("sentence {}: its source is {}, which are no words of a line", record.id + 1, record.source_kind));
  }
  const Side source = side_of(record.source_original, record.source, record.id);
  const Side target = side_of(record.target_original, record.target, record.id);
  Record words;
  words.id = record.id;
  words.source = source.words;
  words.target = target.words;
  words.links = carried_over(record.links, source, target);
  if (record.gold) {
    words.gold = Gold{carried_over(record.gold->sure, source, target), {}};
    const Links possible = carried_over(record.gold->possible, source, target);
    std::set_difference(possible.begin(), possible.end(), words.gold->sure.begin(), words.gold->sure.end(),
                        std::back_inserter(words.gold->possible));
  }
  words.tags = record.tags;
  words.rank = record.rank;
  return words;
}

}  // namespace data
