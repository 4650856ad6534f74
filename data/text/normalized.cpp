#include "data/text/internal/normalized.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <utility>

#include "data/io/utf8.h"
#include "data/text/internal/token_scanner.h"

namespace data {
namespace {

constexpr char32_t first_mark = 0x300;

utf8proc_int32_t number(char32_t c) { return static_cast<utf8proc_int32_t>(c); }

std::u32string composed(std::u32string_view points) {
  const std::string bytes = encode_utf8(points);
  utf8proc_uint8_t* result = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()), static_cast<utf8proc_ssize_t>(bytes.size()),
                   &result, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) throw std::bad_alloc();  // valid UTF-8 gives no other error
  std::u32string text = decode_utf8({reinterpret_cast<const char*>(result), static_cast<size_t>(length)});
  std::free(result);
  return text;
}

// Whether a code point may combine with what stands before it: marks, and the vowels and finals of Hangul.
bool may_combine(char32_t c) {
  if (c < first_mark) return false;
  const utf8proc_property_t& property = *utf8proc_get_property(number(c));
  return property.combining_class != 0 || (c >= 0x1160 && c <= 0x11FF) ||
         (property.category >= UTF8PROC_CATEGORY_MN && property.category <= UTF8PROC_CATEGORY_ME);
}

// NFC leaves it as it is where nothing combines with it.
bool is_composed(char32_t c) {
  return c < first_mark || utf8proc_get_property(number(c))->decomp_seqindex == UINT16_MAX;
}

// NFC, a code point with those that may combine with it at a time.
Normalized compose(const Normalized& text) {
  const std::u32string& points = text.points;
  Normalized result;
  result.points.reserve(points.size());
  result.from.reserve(points.size());
  const auto keep = [&](size_t i) {
    result.points.push_back(points[i]);
    result.from.push_back(text.from[i]);
  };
  for (size_t begin = 0; begin < points.size();) {
    size_t end = begin + 1;
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
    const auto same = static_cast<size_t>(head - before.begin());
    const auto same_end = static_cast<size_t>(new_tail - after.rbegin());
    for (size_t i = 0; i < same; ++i) keep(begin + i);
    for (size_t i = same; i + same_end < after.size(); ++i) {
      const size_t first = std::min(begin + same, end - 1), last = std::max(first, end - same_end - 1);
      result.points.push_back(after[i]);
      result.from.push_back({text.from[first].begin, text.from[last].end});
    }
    for (size_t i = end - same_end; i < end; ++i) keep(i);
    begin = end;
  }
  return result;
}

}  // namespace

Normalized as_it_is(std::string_view text) {
  Normalized result;
  result.points = decode_utf8(text);
  for (size_t i = 0; i < result.points.size(); ++i) result.from.push_back({i, i + 1});
  return result;
}

Normalized normalize(std::string_view text, bool lowercase) {
  const std::u32string points = decode_utf8(text);
  Normalized kept;
  kept.points.reserve(points.size());
  kept.from.reserve(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    char32_t c = points[i];
    if (c == U'\u2019' || c == U'\u02BC') c = U'\'';
    else if (c == U'\u2010' || c == U'\u2011') c = U'-';
    else if (c == U'\u00AD' || c == U'\u200B' || c == U'\u2060' || c == U'\uFEFF') continue;
    else if (utf8proc_category(number(c)) == UTF8PROC_CATEGORY_CC && !is_space(c)) continue;
    kept.points += c;
    kept.from.push_back({i, i + 1});
  }
  Normalized result = compose(kept);
  if (!lowercase) return result;
  result.points = lower(result.points);
  return compose(result);  // some lower-case letters compose where the capital does not
}

}  // namespace data
