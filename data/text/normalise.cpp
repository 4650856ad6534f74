#include "data/text/normalise.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace softalign::data {

namespace {

utf8proc_int32_t number(char32_t c) { return static_cast<utf8proc_int32_t>(c); }

constexpr char32_t first_mark = 0x300;
constexpr auto composing = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
constexpr utf8proc_ssize_t longest_decomposition = 8;  // canonical decompositions have at most four code points

// composed returns NFC. It sorts the marks itself, because utf8proc_map takes time in the square of their number.
std::u32string composed(std::u32string_view points) {
  std::vector<utf8proc_int32_t> parts;
  for (const char32_t c : points) {
    utf8proc_int32_t decomposed[longest_decomposition];
    const auto length = utf8proc_decompose_char(number(c), decomposed, longest_decomposition, composing, nullptr);
    if (length < 0 || length > longest_decomposition) throw std::logic_error("utf8proc: no decomposition");
    parts.insert(parts.end(), decomposed, decomposed + length);
  }
  const auto combining_class = [](utf8proc_int32_t c) { return utf8proc_get_property(c)->combining_class; };
  const auto is_starter = [&](utf8proc_int32_t c) { return combining_class(c) == 0; };
  for (auto begin = parts.begin(); begin != parts.end();) {
    begin = std::find_if_not(begin, parts.end(), is_starter);
    const auto end = std::find_if(begin, parts.end(), is_starter);
    std::stable_sort(begin, end, [&](auto a, auto b) { return combining_class(a) < combining_class(b); });
    begin = end;
  }
  const auto length = utf8proc_normalize_utf32(parts.data(), static_cast<utf8proc_ssize_t>(parts.size()), composing);
  return {parts.begin(), parts.begin() + length};
}

// may_combine is true if a code point may combine with the previous one. This is true for marks, and for the vowels and
// finals of Hangul.
bool may_combine(char32_t c) {
  if (c < first_mark) return false;
  const utf8proc_property_t& property = *utf8proc_get_property(number(c));
  return property.combining_class != 0 || (c >= 0x1160 && c <= 0x11FF) ||
         (property.category >= UTF8PROC_CATEGORY_MN && property.category <= UTF8PROC_CATEGORY_ME);
}

// is_composed is true if NFC does not change the code point, unless another code point combines with it.
bool is_composed(char32_t c) {
  return c < first_mark || utf8proc_get_property(number(c))->decomp_seqindex == UINT16_MAX;
}

// compose computes NFC. It handles a code point together with the following code points that may combine with it.
NormalisedText compose(const NormalisedText& text) {
  const std::u32string& points = text.points;
  NormalisedText result;
  result.points.reserve(points.size());
  result.from.reserve(points.size());
  const auto keep = [&](std::size_t i) {
    result.points.push_back(points[i]);
    result.from.push_back(text.from[i]);
  };
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin + 1;
    while (end < points.size() && may_combine(points[end])) ++end;
    if (end == begin + 1 && is_composed(points[begin])) {
      keep(begin++);
      continue;
    }
    const std::u32string_view before = std::u32string_view(points).substr(begin, end - begin);
    const std::u32string after = composed(before);
    const auto [head, new_head] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto new_tail = std::mismatch(before.rbegin(), std::make_reverse_iterator(head), after.rbegin(),
                                        std::make_reverse_iterator(new_head))
                              .second;
    const auto same = static_cast<std::size_t>(head - before.begin());
    const auto same_end = static_cast<std::size_t>(new_tail - after.rbegin());
    for (std::size_t i = 0; i < same; ++i) keep(begin + i);
    for (std::size_t i = same; i + same_end < after.size(); ++i) {
      const std::size_t first = std::min(begin + same, end - 1), last = std::max(first, end - same_end - 1);
      result.points.push_back(after[i]);
      result.from.push_back({text.from[first].begin, text.from[last].end});
    }
    for (std::size_t i = end - same_end; i < end; ++i) keep(i);
    begin = end;
  }
  return result;
}

}  // namespace

std::u32string lower(std::u32string_view text) {
  std::u32string result(text);
  for (char32_t& c : result) c = static_cast<char32_t>(utf8proc_tolower(number(c)));
  return result;
}

NormalisedText unchanged(std::string_view text) {
  NormalisedText result;
  result.points = decode_utf8(text);
  for (std::size_t i = 0; i < result.points.size(); ++i) result.from.push_back({i, i + 1});
  return result;
}

NormalisedText normalise(std::string_view text, bool lowercase) {
  const std::u32string points = decode_utf8(text);
  NormalisedText kept;
  kept.points.reserve(points.size());
  kept.from.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    char32_t c = points[i];
    if (c == U'\u2019' || c == U'\u02BC') c = U'\'';
    else if (c == U'\u2010' || c == U'\u2011') c = U'-';
    else if (c == U'\u00AD' || c == U'\u200B' || c == U'\u2060' || c == U'\uFEFF') continue;
    else if (utf8proc_category(number(c)) == UTF8PROC_CATEGORY_CC && !is_space(c)) continue;
    kept.points += c;
    kept.from.push_back({i, i + 1});
  }
  NormalisedText result = compose(kept);
  if (!lowercase) return result;
  result.points = lower(result.points);
  return compose(result);  // some lower-case letters compose where the capital does not
}

}  // namespace softalign::data
