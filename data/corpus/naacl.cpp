#include "data/corpus/naacl.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "data/corpus/corpus.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

constexpr const char* form = "`SENTENCE SOURCE TARGET S` or `P`, counted from 1, for example 18 1 1 S";

struct NaaclLine {
  std::size_t sentence = 0;
  Link link;
  bool sure = true;
};

std::optional<NaaclLine> line_of(const std::string& text) {
  const Tokens fields = split_words(text);
  if (fields.size() < 3 || fields.size() > 5) return std::nullopt;
  const auto sentence = number<std::size_t>(fields[0]), source = number<std::size_t>(fields[1]),
             target = number<std::size_t>(fields[2]);
  if (!sentence || !source || !target) return std::nullopt;
  bool sure = true;
  for (std::size_t i = 3; i < fields.size(); ++i) {
    const bool kind = i == 3 && (fields[i] == "S" || fields[i] == "P");
    if (kind) sure = fields[i] == "S";
    else if (i + 1 < fields.size() || !number<double>(fields[i])) return std::nullopt;
  }
  return NaaclLine{*sentence, {*source, *target}, sure};
}

void check_word(const char* side, std::size_t word, std::size_t words, const std::string& where) {
  if (word > words)
    fail(where, fmt::format("the link has word {} of the {}, which has {} word{}. Words count from 1", word, side,
                            words, words == 1 ? "" : "s"));
}

}  // namespace

bool is_naacl(const std::vector<std::string>& lines) {
  const auto first =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return !split_words(line).empty(); });
  return first != lines.end() && line_of(*first).has_value();
}

std::vector<std::optional<Gold>> read_naacl(const std::string& path, const std::vector<std::string>& lines,
                                            const std::vector<PairSize>& pairs) {
  struct Sets {
    std::set<Link> sure, possible;
    bool any = false;
  };
  std::vector<Sets> sets(pairs.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (split_words(lines[i]).empty()) continue;
    const std::string where = fmt::format("{}:{}", path, i + 1);
    const std::optional<NaaclLine> line = line_of(lines[i]);
    if (!line)
      fail(where, fmt::format(
                      "{} is not a link. The first line has the form of the NAACL shared task, so each line must be {}",
                      in_quotes(lines[i]), form));
    if (line->sentence == 0 || line->sentence > pairs.size())
      fail(where, fmt::format("sentence {} does not exist. There are {} alignments, counted from 1", line->sentence,
                              pairs.size()));
    const PairSize& size = pairs[line->sentence - 1];
    check_word("source", line->link.source, size.source, where);
    check_word("target", line->link.target, size.target, where);
    Sets& its = sets[line->sentence - 1];
    its.any = true;
    if (line->link.source == 0 || line->link.target == 0) continue;
    (line->sure ? its.sure : its.possible).insert({line->link.source - 1, line->link.target - 1});
  }
  std::vector<std::optional<Gold>> all(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!sets[i].any) continue;
    Gold& gold = all[i].emplace();
    gold.sure.assign(sets[i].sure.begin(), sets[i].sure.end());
    for (const Link& link : sets[i].possible)
      if (!sets[i].sure.contains(link)) gold.possible.push_back(link);
  }
  return all;
}

}  // namespace softalign::data
