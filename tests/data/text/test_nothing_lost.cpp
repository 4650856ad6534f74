// Round trips of random text: tokenizers, segmenters and vocabularies lose nothing of the text.
#include <utf8proc.h>

#include <cstdlib>

#include "autograd/random.h"
#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;
using autograd::Random;

namespace {

const std::vector<Tokenization> schemes{Tokenization::words, Tokenization::characters, Tokenization::spaces,
                                        Tokenization::none};

// Random letters, marks and symbols of all planes. Characters that the tokenizers' rules mention are more frequent.
std::string random_text(Random& random, size_t longest) {
  static const std::u32string common =
      U"aelstqunLÉİß15''’--..,:?!\"«»()$%@/ \u00A0\u3000\u0301\u0323我แ가👍\u200D\u00AD";
  std::u32string text;
  for (size_t n = random.below(longest + 1); n > 0; --n) {
    char32_t c = common[random.below(common.size())];
    if (random.below(4) == 0) c = static_cast<char32_t>(1 + random.below(random.below(2) == 0 ? 0x3000 : 0x1FFFF));
    if (c < 0xD800 || c > 0xDFFF) text += c;
  }
  return encode_utf8(text);
}

std::u32string composed(const std::u32string& text) {  // NFC
  const std::string bytes = encode_utf8(text);
  utf8proc_uint8_t* nfc = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(bytes.c_str()));
  const std::string result(reinterpret_cast<const char*>(nfc));
  std::free(nfc);
  return decode_utf8(result);
}

// Control characters, soft hyphens, zero-width spaces, word joiners and byte order marks.
bool invisible(char32_t c) {
  const bool control = utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_CC && !is_space(c);
  return control || c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF;
}

// A normal form of the text: no separators, no invisible characters, one form of apostrophe and hyphen.
std::string said(const std::string& text, bool (*separates)(char32_t)) {
  std::u32string points;
  for (char32_t c : decode_utf8(text)) {
    if (c == 0x2019 || c == 0x2BC) c = U'\'';
    if (c == 0x2010 || c == 0x2011) c = U'-';
    if (!invisible(c)) points += c;
  }
  points = composed(points);
  std::erase_if(points, separates);
  return encode_utf8(points);
}

std::string together(const Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  return all;
}

// Names the text that the tokens of the line lose; "" if nothing is lost.
std::string problem_of(const std::string& line, const TokenizerOptions& options) {
  const Tokens tokens = tokenize(line, options);
  const bool untouched = options.scheme == Tokenization::none;
  if (untouched && join_words(tokens) != join_words(split_words(line))) return "the text, unchanged";
  const bool whole = untouched || options.scheme == Tokenization::spaces;
  const auto separates = whole ? parts_words : is_space;
  if (!untouched && !options.lowercase && together(tokens) != said(line, separates)) return "characters";
  if (tokenize(detokenize(tokens, options), options) != tokens) return "tokens on the way back";
  const std::u32string points = decode_utf8(line);
  std::vector<bool> placed(points.size());
  for (const PlacedToken& token : place_tokens(line, options))
    for (const Span& span : token.points) std::fill(placed.begin() + span.begin, placed.begin() + span.end, true);
  for (size_t i = 0; i < points.size(); ++i)
    if (!placed[i] && !separates(points[i]) && (untouched || !invisible(points[i]))) return "a place";
  return "";
}

// Random words without the mark that SentencePiece puts before words, because it is ordinary text where a user types
// it.
std::vector<Tokens> random_sentences(Random& random, size_t count) {
  std::vector<Tokens> sentences;
  while (sentences.size() < count) {
    Tokens words = tokenize(random_text(random, 40));
    std::erase_if(words, [](const std::string& w) { return w.find("\u2581") != std::string::npos || is_special(w); });
    if (!words.empty()) sentences.push_back(words);
  }
  return sentences;
}

}  // namespace

TEST_CASE("nothing is lost: every tokeniser keeps each character of random text and its position") {
  Random random(12);
  for (int i = 0; i < 4000; ++i) {
    const std::string line = random_text(random, 30);
    for (const Tokenization scheme : schemes)
      for (const bool lowercase : {true, false}) {
        INFO("lost of " << line << "\nscheme " << static_cast<int>(scheme) << " lowercase " << lowercase);
        CHECK(problem_of(line, {scheme, lowercase}) == "");
      }
  }
}

TEST_CASE("nothing is lost: words become ids and the same words again") {
  Random random(13);
  const std::vector<Tokens> sentences = random_sentences(random, 500);
  WordCounts counts;
  for (const Tokens& sentence : sentences)
    for (const std::string& word : sentence) ++counts[word];
  const Vocabulary vocabulary = Vocabulary::build(counts);
  CHECK(vocabulary.size() == counts.size() + 4);
  for (const Tokens& sentence : sentences) CHECK(vocabulary.words(vocabulary.ids(sentence)) == sentence);
}

TEST_CASE("nothing is lost: words become subwords, ids and the same words again") {
  Random random(14);
  const std::vector<Tokens> sentences = random_sentences(random, 300);
  for (const auto& [name, kind] : names_of(SubwordModel{})) {
    INFO(name);
    const Segmenter segmenter = Segmenter::train(sentences, {kind, 4000});
    const Vocabulary vocabulary(segmenter.subwords());
    for (const Tokens& sentence : sentences) {
      const Segments segments = segmenter.segment(sentence);
      const Joined joined = segmenter.join(vocabulary.words(vocabulary.ids(segments.subwords)));
      INFO(join_words(sentence) << "\n" << join_words(segments.subwords));
      CHECK(joined.words == sentence);
      CHECK(joined.word == segments.word);
    }
  }
}
