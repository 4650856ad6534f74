// place_tokens gives the positions of tokens in their line.
#include <utf8proc.h>

#include <cstdlib>

#include "autograd/random.h"
#include "data/io/unicode.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

namespace {

Spans spans_of(const std::string& line, const TokenizerOptions& options = {}) {
  Spans spans;
  for (const PlacedToken& token : place_tokens(line, options)) spans.push_back(token.span());
  return spans;
}

std::string part(const std::u32string& line, const Span& span) {
  return encode_utf8(std::u32string_view(line).substr(span.begin, span.end - span.begin));
}

// Describes what is wrong with the positions of this line's tokens; "" if nothing is.
std::string problem_of(const std::string& text, const TokenizerOptions& options) {
  const std::u32string line = decode_utf8(text);
  const std::vector<PlacedToken> placed = place_tokens(text, options);
  Tokens tokens;
  size_t last = 0;
  for (const PlacedToken& token : placed) {
    tokens.push_back(token.text);
    if (decode_utf8(token.text).size() != token.points.size()) return "a place a code point: " + token.text;
    if (token.span().begin < last || token.span().end > line.size()) return "in order: " + token.text;
    last = token.span().end;
    if (tokenize(part(line, token.span()), options) != Tokens{token.text}) return "it gives the token: " + token.text;
  }
  return tokens == tokenize(text, options) ? "" : "the tokens of tokenize";
}

void check_places(const std::string& text) {
  INFO("text " << text);
  for (const Tokenization scheme : {Tokenization::words, Tokenization::spaces, Tokenization::none}) {
    for (const bool lowercase : {true, false}) {
      INFO("scheme " << static_cast<int>(scheme) << " lowercase " << lowercase);
      CHECK(problem_of(text, {scheme, lowercase}) == "");
    }
  }
}

std::string nfc(const std::string& text) {
  utf8proc_uint8_t* composed = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str()));
  const std::string result(reinterpret_cast<const char*>(composed));
  std::free(composed);
  return result;
}

const std::vector<std::string> pieces = {
    "a",  "l",      "t",      "qu",     "le", "mr",     "É",       "I",      "5",      "'",      "’",      "-",
    ".",  ",",      "?",      "\"",     "«",  "$",      "@",       "www.",   " ",      "\u00A0", "\u202F", "\u0301",
    "İ",  "\u0338", "\u0323", "\u200D", "👍",  "🏽",   "H\u0331", "\u212A", "\u0344", "ß",      "漢",     "\u00AD",
    "各", "\u200B", "\u0345", "\u1100", "가", "\u0600", "\u1161",  "\u11A8", "\u0F71", "\u09C7", "\u09BE", "\u0001"};

}  // namespace

TEST_CASE("tokens have their positions in the line, with capitals, clitics, composed and invisible characters") {
  CHECK(spans_of("I love YOU!") == Spans{{0, 1}, {2, 6}, {7, 10}, {10, 11}});
  CHECK(spans_of("  J’aime\u00A0 l'e\u0301te\u0301.") == Spans{{2, 4}, {4, 8}, {10, 12}, {12, 17}, {17, 18}});
  CHECK(spans_of("co\u00ADop \u200Bx\u200B") == Spans{{0, 5}, {7, 8}});
  CHECK(spans_of("A.B  c,", {Tokenization::spaces}) == Spans{{0, 3}, {5, 7}});
  CHECK(spans_of("漢字 です。") == Spans{{0, 2}, {3, 5}, {5, 6}});
  CHECK(spans_of(" \t") == Spans{});
  const auto placed = place_tokens("e\u0301a");
  REQUIRE(placed.size() == 1);
  CHECK(placed[0].points == Spans{{0, 2}, {2, 3}});
}

TEST_CASE("the text at a token's position gives the token, for random text and every tokeniser") {
  for (const char* text : {"J’ai vu l'homme qu'elle m'a présenté aujourd'hui.", "« Donne-m'en ! » cria-t-il à Mme.",
                           "l'\u0301\u0323eau", "Don't e-mail me@x.fr, www.X.org...", "a\u0344\u0323b"})
    check_places(text);
  autograd::Random random(3);
  for (int i = 0; i < 5000; ++i) {
    std::string text;
    for (size_t n = 1 + random.below(12); n > 0; --n) text += pieces[random.below(pieces.size())];
    check_places(text);
  }
}

TEST_CASE("text is composed to NFC, by clusters and at once with the same result") {
  const TokenizerOptions as_written{Tokenization::spaces, false};
  const auto joined = [&](const std::string& text) { return join_words(tokenize(text, as_written)); };
  autograd::Random random(4);
  std::vector<std::string> wrong;
  const auto check = [&](const std::string& text) {
    if (joined(text) != join_words(split_words(nfc(text)))) wrong.push_back(text);
  };
  const auto invisible = [](char32_t c) {
    return c < 0xA0 || c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF || c == 0x2019 || c == 0x2BC ||
           c == 0x2010 || c == 0x2011;
  };
  std::vector<char32_t> parts;  // the parts of every code point that decomposes
  for (char32_t c = 0xA0; c < 0x30000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || invisible(c)) continue;
    utf8proc_int32_t points[8];
    const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), points, 8, UTF8PROC_DECOMPOSE, nullptr);
    if (n < 2 && points[0] == static_cast<utf8proc_int32_t>(c)) continue;
    std::u32string apart;
    for (utf8proc_ssize_t i = 0; i < n; ++i) apart += static_cast<char32_t>(points[i]);
    check(encode_utf8(apart));
    check(encode_utf8(c) + "\u0323" + encode_utf8(apart) + "\u0301");
    if (c < 0xAC00 || c > 0xD7A3) parts.insert(parts.end(), apart.begin(), apart.end());
  }
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (size_t n = 2 + random.below(6); n > 0; --n) {
      const char32_t c = parts[random.below(parts.size())];
      if (!invisible(c)) text += encode_utf8(c);
    }
    if (!text.empty()) check(text);
  }
  CHECK(wrong == std::vector<std::string>{});
}
