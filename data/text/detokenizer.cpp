#include "data/text/detokenizer.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "data/io/utf8.h"
#include "data/text/characters.h"

namespace softalign::data {
namespace {

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), token) != list.end();
}

bool is_letter_at(const std::string& token, size_t i) {
  return i < token.size() &&
         (static_cast<unsigned char>(token[i]) >= 0x80 || ((token[i] | 32) >= 'a' && (token[i] | 32) <= 'z'));
}

// 's  n't  -le  and closing punctuation belong to what stands before them.
bool attaches_left(const std::string& token) {
  if (is_one_of(token, {".", ",", ";", ":", "!", "?", "…", ")", "]", "}", "»", "”", "%", "n't"}) ||
      token.starts_with(".."))
    return true;
  return (token[0] == '\'' || token[0] == '-') && is_letter_at(token, 1);
}

// l'  qu'  -m'  and opening punctuation belong to what comes after them, and so does $ to an amount.
bool attaches_right(const std::string& token, const std::string& next) {
  if (is_one_of(token, {"(", "[", "{", "«", "“", "‘", "¿", "¡"})) return true;
  if (is_one_of(token, {"$", "£"})) return next[0] >= '0' && next[0] <= '9';
  return token.size() > 1 && token.ends_with('\'');
}

// 我 爱, with the scheme that has taken them apart.
bool touch(const std::string& before, const std::string& token, const TokenizerOptions& options) {
  if (options.scheme != Tokenization::characters) return false;
  return is_unspaced(decode_utf8(before).back()) && is_unspaced(decode_utf8(token).front());
}

// Each token added costs another look at its piece; a line of 10,000 question marks should not take minutes.
constexpr size_t longest_piece = 50;

}  // namespace

std::string detokenize(const Tokens& tokens, const TokenizerOptions& options, Spans* places) {
  size_t length = 0;  // code points of the sentence so far
  const auto place = [&](const std::string& token, bool after_space) {
    if (!places) return;
    const size_t begin = length + after_space;
    length = begin + decode_utf8(token).size();
    places->push_back({begin, length});
  };
  if (places) places->clear();
  if (options.scheme != Tokenization::words && options.scheme != Tokenization::characters) {
    for (size_t i = 0; i < tokens.size(); ++i) place(tokens[i], i > 0);
    return join_words(tokens);
  }
  std::string text, piece;  // piece: what has been written together since the last space
  Tokens in_piece;
  bool quoted = false, after_opening_quote = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    bool together = i > 0 && (after_opening_quote || attaches_left(token) || attaches_right(tokens[i - 1], token));
    after_opening_quote = false;
    if (token == "\"") {
      together = together || quoted;
      after_opening_quote = quoted = !quoted;
    }
    in_piece.push_back(token);
    if (together && in_piece.size() < longest_piece && tokenize(piece + token, options) == in_piece) {
      piece += token;
      place(token, false);
      continue;
    }
    const bool spaced = i > 0 && !touch(tokens[i - 1], token, options);
    if (i > 0) text += piece;
    if (spaced) text += ' ';
    place(token, spaced);
    piece = token;
    in_piece = {token};
  }
  return text + piece;
}

}  // namespace softalign::data
