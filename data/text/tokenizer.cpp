#include "data/text/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "data/io/utf8.h"
#include "data/text/internal/token_scanner.h"

namespace data {
namespace {

std::u32string compose(const std::u32string& text) {
  const std::string bytes = encode_utf8(text);
  utf8proc_uint8_t* composed = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()), static_cast<utf8proc_ssize_t>(bytes.size()),
                   &composed, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) throw std::bad_alloc();  // valid UTF-8 gives no other error
  std::u32string result = decode_utf8({reinterpret_cast<const char*>(composed), static_cast<size_t>(length)});
  std::free(composed);
  return result;
}

std::u32string normalize(std::string_view text, bool lowercase) {
  std::u32string points;
  for (const char32_t c : decode_utf8(text)) {
    if (c == U'\u2019' || c == U'\u02BC') points += U'\'';
    else if (c == U'\u2010' || c == U'\u2011') points += U'-';
    else if (c == U'\u00AD' || c == U'\u200B' || c == U'\u2060' || c == U'\uFEFF') continue;
    else if (utf8proc_category(static_cast<utf8proc_int32_t>(c)) != UTF8PROC_CATEGORY_CC || is_space(c)) points += c;
  }
  points = compose(points);
  return lowercase ? compose(lower(points)) : points;  // some lower-case letters compose where the capital does not
}

}  // namespace

Tokens tokenize(std::string_view text, const TokenizerOptions& options) {
  if (options.scheme == Tokenization::none) return split_words(text);
  const std::u32string points = normalize(text, options.lowercase);
  if (options.scheme == Tokenization::spaces) return split_words(encode_utf8(points));
  Tokens tokens;
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(), is_space);
    for (const auto token : scan_tokens({begin, end})) tokens.push_back(encode_utf8(token));
    begin = std::find_if_not(end, points.end(), is_space);
  }
  return tokens;
}

}  // namespace data
