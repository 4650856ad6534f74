#include "data/text/tokenizer.h"

#include <algorithm>

#include "data/io/utf8.h"
#include "data/text/characters.h"
#include "data/text/internal/normalized.h"
#include "data/text/internal/token_scanner.h"

namespace softalign::data {
namespace {

// use(text, begin, end) for each token, which is code points [begin, end) of the normalised text.
template <class Use>
void for_tokens(std::string_view line, const TokenizerOptions& options, const Use& use) {
  const Normalized text = options.scheme == Tokenization::none ? as_it_is(line) : normalize(line, options.lowercase);
  const std::u32string& points = text.points;
  const bool whole = options.scheme == Tokenization::none || options.scheme == Tokenization::spaces;
  const auto separates = [whole](char32_t point) { return whole ? parts_words(point) : is_space(point); };
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(), separates);
    const std::u32string_view piece(begin, end);
    const auto from = static_cast<size_t>(begin - points.begin());
    const bool characters = options.scheme == Tokenization::characters;
    if (characters || options.scheme == Tokenization::words) {
      for (const auto part : characters ? split_characters(piece) : std::vector{piece}) {
        for (const auto token : scan_tokens(part)) {
          const size_t at = from + static_cast<size_t>(token.data() - piece.data());
          use(text, at, at + token.size());
        }
      }
    } else if (!piece.empty()) {
      use(text, from, from + piece.size());
    }
    begin = std::find_if_not(end, points.end(), separates);
  }
}

}  // namespace

Tokens tokenize(std::string_view text, const TokenizerOptions& options) {
  Tokens tokens;
  for_tokens(text, options, [&](const Normalized& normal, size_t begin, size_t end) {
    tokens.push_back(encode_utf8(std::u32string_view(normal.points).substr(begin, end - begin)));
  });
  return tokens;
}

std::vector<PlacedToken> place_tokens(std::string_view line, const TokenizerOptions& options) {
  std::vector<PlacedToken> tokens;
  for_tokens(line, options, [&](const Normalized& normal, size_t begin, size_t end) {
    const auto from = normal.from.begin();
    tokens.push_back({encode_utf8(std::u32string_view(normal.points).substr(begin, end - begin)),
                      Spans(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end))});
  });
  return tokens;
}

}  // namespace softalign::data
