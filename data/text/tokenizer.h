// Splits a sentence into tokens and joins them again, for English, French and similar languages (words between white
// space).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/corpus/corpus.h"
#include "data/io/unicode.h"

namespace softalign::data {

enum class Tokenization {
  words,       // the rules below
  characters,  // the same, and each character of a script without spaces is a word (data/text/characters.h)
  spaces,      // split at spaces and tabs (parts_words), the text brought to NFC and lower case as for `words`
  none,        // split at spaces and tabs, the text otherwise unchanged (it is tokenised already, or by another tool)
};

constexpr auto names_of(Tokenization) {
  return std::to_array<std::pair<const char*, Tokenization>>({{"words", Tokenization::words},
                                                              {"characters", Tokenization::characters},
                                                              {"none", Tokenization::none},
                                                              {"sentencepiece", Tokenization::spaces}});
}

struct TokenizerOptions {
  Tokenization scheme = Tokenization::words;
  bool lowercase = true;  // not with `none`
};

// The rules of `words` are the same for both languages. The text is normalised to NFC and lower case. A typographic
// apostrophe becomes '. Soft hyphens, zero-width spaces and control characters are removed. Every Unicode space
// separates tokens.
//   punctuation         "Oh, really?!"     oh , really ? !         and every other symbol is a token by itself
//   French elision      "j'aime l'eau"     j' aime l' eau          but aujourd'hui, quelqu'un stay whole
//   French clitics      "cherchez-le"      cherchez -le            a hyphen and a pronoun (or -ce, -t, -en, -y, and the
//                       "va-t-il"          va -t -il               -être of peut-être) make a token; other hyphens stay
//                                                                  inside their word: week-end, celui-ci, mother-in-law
//   English possessive  "Peter's"          peter 's                and 'm 're 've 'll 'd
//   English negation    "don't"            do n't
//   numbers             "1,000.50 2:30"    1,000.50 2:30
//   abbreviations       "Mr. U.S. a.m."    mr. u.s. a.m.           letters with full stops, and a short list of titles
//   URLs, addresses     "https://a.b/c?d"  https://a.b/c?d         without the punctuation after them
// Tokenising the tokens again, joined by spaces, changes nothing.
Tokens tokenize(std::string_view text, const TokenizerOptions& options = {});

// A token, and the position of each of its code points in the original line. Code points that were composed into one,
// or changed their order, have the position of all of them.
struct PlacedToken {
  std::string text;
  Spans points;  // one a code point of the text, rising
  Span span() const { return {points.front().begin, points.back().end}; }
};

// The tokens of `tokenize` in their order. If you tokenise the text at the span of a token, you get the token again.
std::vector<PlacedToken> place_tokens(std::string_view line, const TokenizerOptions& options = {});

// The tokens as a sentence: "je t' aime" -> "je t'aime", "cherchez -le ." -> "cherchez-le.". There is no space before .
// , ; : ! ? %, nor inside brackets, guillemets and straight double quotes (alternately opening and closing). The French
// space before ; : ! ? and capitals are not restored. Tokens that would be split differently when joined stay separate,
// and characters of scripts without spaces (`characters`) are joined. Therefore tokenize(detokenize(x)) == x for every
// x that came from tokenize. If `places` is given, it receives the position of each token in the sentence.
std::string detokenize(const Tokens& tokens, const TokenizerOptions& options = {}, Spans* places = nullptr);

}  // namespace softalign::data
