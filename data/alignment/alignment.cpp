#include "data/alignment/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

namespace data {
namespace {

// `12?3` -> {12, 3}, '?'. False if the text is not of that form.
bool split_link(std::string_view text, Link& link, char& kind) {
  const char* end = text.data() + text.size();
  const auto source = std::from_chars(text.data(), end, link.source);
  if (source.ec != std::errc() || source.ptr == end) return false;
  kind = *source.ptr;
  if (kind != '-' && kind != '?' && kind != 'p') return false;
  const auto target = std::from_chars(source.ptr + 1, end, link.target);
  return target.ec == std::errc() && target.ptr == end;
}

[[noreturn]] void out_of_range(const std::string& where, std::string_view text, const char* side, size_t words,
                               size_t first) {
  throw std::runtime_error(fmt::format("{}: link {}: the {} has {} word{}, counted from {}; links are SOURCE-TARGET{}",
                                       where, text, side, words, words == 1 ? "" : "s", first,
                                       first ? "" : " (does the file count from 1? --one-based)"));
}

bool contains(const Links& sorted, const Link& link) { return std::binary_search(sorted.begin(), sorted.end(), link); }

double ratio(size_t part, size_t whole, double of_nothing) {
  return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Gold parse_gold(std::string_view text, size_t source_words, size_t target_words, const std::string& where,
                size_t first) {
  Gold gold;
  std::set<Link> seen;
  constexpr std::string_view spaces = " \t";
  for (size_t begin = text.find_first_not_of(spaces); begin != std::string_view::npos;
       begin = text.find_first_not_of(spaces, begin)) {
    const size_t end = std::min(text.find_first_of(spaces, begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    begin = end;
    Link link;
    char kind = 0;
    if (!split_link(item, link, kind)) {
      throw std::runtime_error(fmt::format(
          "{}: \"{}\" is not a link; expected SOURCE-TARGET such as 0-0 (sure) or 1?2 (possible)", where, item));
    }
    link.source -= first;  // what is less than `first` becomes very large
    link.target -= first;
    if (link.source >= source_words) out_of_range(where, item, "source", source_words, first);
    if (link.target >= target_words) out_of_range(where, item, "target", target_words, first);
    if (!seen.insert(link).second) {
      throw std::runtime_error(
          fmt::format("{}: link {} is given twice; each link is either sure or possible", where, item));
    }
    (kind == '-' ? gold.sure : gold.possible).push_back(link);
  }
  std::sort(gold.sure.begin(), gold.sure.end());
  std::sort(gold.possible.begin(), gold.possible.end());
  return gold;
}

std::string format_gold(const Gold& gold) {
  Links all = gold.sure;
  all.insert(all.end(), gold.possible.begin(), gold.possible.end());
  std::sort(all.begin(), all.end());
  std::string text;
  for (const Link& link : all) {
    const bool possible = std::find(gold.possible.begin(), gold.possible.end(), link) != gold.possible.end();
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", link.source, possible ? '?' : '-', link.target);
  }
  return text;
}

std::string format_links(const Links& links) { return format_gold({links, {}}); }

Links argmax_links(const Matrix& matrix, size_t source_words, size_t target_words, size_t shift) {
  if (matrix.size() != target_words && matrix.size() != target_words + 1) {
    throw std::invalid_argument(
        fmt::format("argmax_links: {} rows for {} target words; expected one a word, and one for </s>", matrix.size(),
                    target_words));
  }
  Links links;
  for (size_t t = 0; t < matrix.size(); ++t) {
    const std::vector<float>& row = matrix[t];
    if (row.empty() || (row.size() != source_words && row.size() != source_words + 1)) {
      throw std::invalid_argument(
          fmt::format("argmax_links: row {} has {} columns for {} source words", t, row.size(), source_words));
    }
    if (t < shift || t - shift >= target_words) continue;
    const auto source = static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    if (source < source_words) links.push_back({source, t - shift});
  }
  std::sort(links.begin(), links.end());
  return links;
}

Links outside_fixed_expressions(const Links& links, const Gold& gold) {
  const auto touches = [](const Links& set, size_t target) {
    return std::any_of(set.begin(), set.end(), [target](const Link& link) { return link.target == target; });
  };
  Links rest;
  for (const Link& link : links) {
    if (touches(gold.sure, link.target) || !touches(gold.possible, link.target)) rest.push_back(link);
  }
  return rest;
}

void AlignmentScore::add(const Links& links, const Gold& gold) {
  for (const Link& link : std::set<Link>(links.begin(), links.end())) {
    const bool is_sure = contains(gold.sure, link);
    found += 1;
    found_sure += is_sure;
    found_possible += is_sure || contains(gold.possible, link);
  }
  sure += gold.sure.size();
}

double AlignmentScore::aer() const { return 1.0 - ratio(found_sure + found_possible, found + sure, 1.0); }
double AlignmentScore::precision() const { return ratio(found_possible, found, 1.0); }
double AlignmentScore::recall() const { return ratio(found_sure, sure, 1.0); }

}  // namespace data
