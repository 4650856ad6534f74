#include "data/corpus/pharaoh.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

// split_link splits `12?3` into {12, 3} and '?'. It returns false if the text does not have this form.
bool split_link(std::string_view text, Link& link, char& kind) {
  const char* end = text.data() + text.size();
  const auto source = std::from_chars(text.data(), end, link.source);
  if (source.ec != std::errc() || source.ptr == end) return false;
  kind = *source.ptr;
  if (kind != '-' && kind != '?' && kind != 'p') return false;
  const auto target = std::from_chars(source.ptr + 1, end, link.target);
  return target.ec == std::errc() && target.ptr == end;
}

[[noreturn]] void out_of_range(const std::string& where, std::string_view text, const char* side, std::size_t words,
                               std::size_t first, std::size_t word) {
  const char* cure = first == 0          ? ". If the file counts from 1, add --one-based"
                     : word + first == 0 ? ". The file counts from 0, so remove --one-based"
                                         : "";
  if (words == any_words)
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: link {}: words count from {}{}", where, shortened(text), first, cure));
  throw Error(ErrorKind::bad_data,
              fmt::format("{}: link {}: the {} has {} word{}, counted from {}. Links have the form SOURCE-TARGET{}",
                          where, shortened(text), side, words, words == 1 ? "" : "s", first, cure));
}

}  // namespace

bool is_link(std::string_view word) {
  Link link;
  char kind = 0;
  return split_link(word, link, kind);
}

Gold parse_gold(std::string_view text, std::size_t source_words, std::size_t target_words, const std::string& where,
                std::size_t first) {
  Gold gold;
  std::set<Link> seen;
  constexpr std::string_view spaces = " \t";
  for (std::size_t begin = text.find_first_not_of(spaces); begin != std::string_view::npos;
       begin = text.find_first_not_of(spaces, begin)) {
    const std::size_t end = std::min(text.find_first_of(spaces, begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    begin = end;
    Link link;
    char kind = 0;
    if (!split_link(item, link, kind)) {
      throw Error(
          ErrorKind::bad_data,
          fmt::format(
              "{}: {} is not a link. Links have the form SOURCE-TARGET, for example 0-0 (sure) or 1?2 (possible)",
              where, in_quotes(item)));
    }
    link.source -= first;  // a number below `first` becomes very large
    link.target -= first;
    if (link.source >= source_words) out_of_range(where, item, "source", source_words, first, link.source);
    if (link.target >= target_words) out_of_range(where, item, "target", target_words, first, link.target);
    if (!seen.insert(link).second) {
      throw Error(ErrorKind::bad_data,
                  fmt::format("{}: link {} occurs twice. Write each link once, as a sure or as a possible link", where,
                              shortened(item)));
    }
    (kind == '-' ? gold.sure : gold.possible).push_back(link);
  }
  std::sort(gold.sure.begin(), gold.sure.end());
  std::sort(gold.possible.begin(), gold.possible.end());
  return gold;
}

void IndexBase::add(const Links& links) {
  links_ += links.size();
  for (const Link& link : links) {
    source_0_ = source_0_ || link.source == 0;
    target_0_ = target_0_ || link.target == 0;
  }
}

void IndexBase::add(const Gold& gold) {
  add(gold.sure);
  add(gold.possible);
}

bool IndexBase::may_count_from_1() const {
  constexpr std::size_t enough = 3;
  return links_ >= enough && !(source_0_ && target_0_);
}

std::string IndexBase::note(const std::string& file, const char* item) const {
  if (!may_count_from_1()) return "";
  const char* side = source_0_ ? "of the target" : target_0_ ? "of the source" : "of either side";
  return fmt::format(
      "note: {}: none of the {} links contains {} 0 {}. If the file counts {}s from 1, add --one-based\n", file, links_,
      item, side, item);
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

}  // namespace softalign::data
