#include "data/metrics/tokenize_13a.h"

#include <string>

#include "data/io/utf8.h"

namespace softalign::data {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_stop(char32_t c) { return c == '.' || c == ','; }

// ASCII but letters, digits, ' , - and . (what they are depends on their neighbours)
bool is_symbol(char32_t c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::u32string apart_symbols(const std::u32string& text) {
  std::u32string result;
  for (const char32_t c : text) {
    if (is_symbol(c)) result.append({U' ', c, U' '});
    else result += c;
  }
  return result;
}

// Two characters that match from left to right, none of them twice, as a regular expression is replaced; `write` adds
// what takes their place.
template <class Matches, class Write>
std::u32string replace_pairs(const std::u32string& text, const Matches& matches, const Write& write) {
  std::u32string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      write(result, text[i], text[i + 1]);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

Tokens split_unicode(const std::u32string& text) {
  Tokens words;
  std::string word;
  for (const char32_t c : text + U' ') {
    if (!is_space(c)) {
      word += encode_utf8(c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

}  // namespace

Tokens tokenize_13a(std::string_view line) {
  std::string plain = replaced(std::string(line), "<skipped>", "");
  for (const auto& [entity, sign] : {std::pair{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}})
    plain = replaced(plain, entity, sign);
  using Text = std::u32string;
  Text text = apart_symbols(U' ' + decode_utf8(plain) + U' ');
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return !is_digit(a) && is_stop(b); },
      [](Text& to, char32_t a, char32_t b) {
        to.append({a, U' ', b, U' '});
      });
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return is_stop(a) && !is_digit(b); },
      [](Text& to, char32_t a, char32_t b) {
        to.append({U' ', a, U' ', b});
      });
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return is_digit(a) && b == U'-'; },
      [](Text& to, char32_t a, char32_t b) {
        to.append({a, U' ', b, U' '});
      });
  return split_unicode(text);
}

}  // namespace softalign::data
