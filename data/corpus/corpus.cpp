#include "data/corpus/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/corpus/pharaoh.h"
#include "data/io/unicode.h"

namespace softalign::data {

std::string format_tsv(const std::vector<Pair>& pairs) {
  const auto any = [&pairs](auto has) { return std::any_of(pairs.begin(), pairs.end(), has); };
  const bool tagged = any([](const Pair& pair) { return !pair.tags.empty(); });
  const bool aligned = tagged || any([](const Pair& pair) { return pair.gold.has_value(); });
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    for (const Tokens* side : {&pair.source, &pair.target}) {
      if (side->empty() || split_words(join_words(*side)) != *side) {
        throw std::invalid_argument(fmt::format("format_tsv: pair {} has an empty side or white space in a token", i));
      }
    }
    text += join_words(pair.source) + '\t' + join_words(pair.target);
    if (aligned) text += '\t' + (pair.gold ? format_gold(*pair.gold) : "");
    if (tagged) text += fmt::format("\t{}", fmt::join(pair.tags, ","));
    text += '\n';
  }
  return text;
}

Tokens split_words(std::string_view text) {
  Tokens words;
  const auto parts = [](char byte) { return parts_words(static_cast<unsigned char>(byte)); };
  constexpr std::ptrdiff_t at_once = 256;  // a line of white space must not reserve more
  words.reserve(static_cast<std::size_t>(std::min(at_once, 1 + std::count_if(text.begin(), text.end(), parts))));
  for (auto begin = text.begin();;) {
    begin = std::find_if_not(begin, text.end(), parts);
    if (begin == text.end()) return words;
    const auto end = std::find_if(begin, text.end(), parts);
    words.emplace_back(begin, end);
    begin = end;
  }
}

const Gold& gold_over_words(const Pair& pair) { return pair.written ? pair.written->gold : pair.gold.value(); }

Links links_over_words(const Links& links, const Pair& pair) {
  Links words = links;
  if (pair.written)
    for (Link& link : words) link = {pair.written->source.at(link.source), pair.written->target.at(link.target)};
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::string join_words(const Tokens& tokens) { return fmt::format("{}", fmt::join(tokens, " ")); }

}  // namespace softalign::data
