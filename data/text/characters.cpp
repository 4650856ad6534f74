#include "data/text/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/io/unicode.h"

namespace softalign::data {

namespace {

struct Range {
  char32_t first, last;
};
constexpr std::array<Range, 12> unspaced{{{0x0e00, 0x0eff},      // Thai, Lao
                                          {0x1000, 0x109f},      // Burmese
                                          {0x1780, 0x17ff},      // Khmer
                                          {0x2e80, 0x30ff},      // radicals, punctuation, kana
                                          {0x3100, 0x312f},      // bopomofo
                                          {0x31a0, 0x31ff},      // bopomofo, strokes, kana
                                          {0x3400, 0x4dbf},      // ideographs
                                          {0x4e00, 0x9fff},      // ideographs
                                          {0xf900, 0xfaff},      // ideographs
                                          {0xff00, 0xff0f},      // full-width punctuation
                                          {0xff1a, 0xff20},      // full-width punctuation
                                          {0x20000, 0x323af}}};  // ideographs

}  // namespace

bool is_unspaced(char32_t point) {
  return std::any_of(unspaced.begin(), unspaced.end(),
                     [&](const Range& range) { return range.first <= point && point <= range.last; });
}

std::vector<std::u32string_view> split_characters(std::u32string_view piece) {
  std::vector<std::u32string_view> parts;
  for (std::size_t begin = 0; begin < piece.size();) {
    std::size_t end = begin + 1;
    if (is_unspaced(piece[begin])) {
      while (end < piece.size() && is_mark(piece[end])) ++end;
    } else {
      while (end < piece.size() && !is_unspaced(piece[end])) ++end;
    }
    parts.push_back(piece.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

std::size_t unspaced_characters(std::string_view word) {
  const std::u32string points = decode_utf8(word);
  const auto parts = split_characters(points);
  const bool all = std::all_of(parts.begin(), parts.end(), [](const auto& part) { return is_unspaced(part[0]); });
  return all ? parts.size() : 0;
}

bool is_unspaced_text(std::string_view word) {
  constexpr std::size_t longest = 4, bytes = 3;  // a character has at least three bytes
  return word.size() > longest * bytes && unspaced_characters(word) > longest;
}

std::string note_of_unspaced_text(const std::vector<Pair>& pairs, const std::string& remedy) {
  for (const bool is_source : {true, false}) {
    std::size_t words = 0, texts = 0;
    const std::string* first = nullptr;
    for (const Pair& pair : pairs) {
      for (const std::string& word : is_source ? pair.source : pair.target) {
        ++words;
        if (!is_unspaced_text(word)) continue;
        ++texts;
        if (first == nullptr) first = &word;
      }
    }
    if (texts == 0 || 5 * texts < words) continue;
    return fmt::format(
        "note: {} of {} words of the {}s are texts without spaces, and each counts as one word, for example {}, with "
        "{} characters; {}\n",
        texts, words, is_source ? "source" : "target", shortened(*first), unspaced_characters(*first), remedy);
  }
  return "";
}

}  // namespace softalign::data
