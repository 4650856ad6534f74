// These functions split a sentence into tokens and join the tokens again. They are for English, French and similar
// languages, which have spaces between words.
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
  words,       // the rules of the function tokenize
  characters,  // as `words`, and each character of a script without spaces is a word (characters.h)
  spaces,      // split at spaces and tabs (parts_words); text in NFC and lower case as for `words`
  none,        // split at spaces and tabs; the text is unchanged (another tool has tokenised it)
};

constexpr auto names_of(Tokenization) {
  return std::to_array<std::pair<const char*, Tokenization>>({{"words", Tokenization::words},
                                                              {"characters", Tokenization::characters},
                                                              {"none", Tokenization::none},
                                                              {"sentencepiece", Tokenization::spaces}});
}

struct TokenizerOptions {
  Tokenization scheme = Tokenization::words;
  bool lowercase = true;  // no effect with the scheme `none`
};

// Splits a text into tokens by one of the schemes of Tokenization. This comment describes `words`, which has the same
// rules for English and French. The text is normalised to Unicode's form NFC and to lower case. A typographic
// apostrophe becomes '. Soft hyphens, zero-width spaces and control characters are removed. Every Unicode space
// separates tokens. Examples, before and after:
//   punctuation         "Oh, really?!"     oh , really ? !         every other symbol is a token, too
//   French elision      "j'aime l'eau"     j' aime l' eau          but aujourd'hui and quelqu'un are not split
//   French clitics      "cherchez-le"      cherchez -le            a hyphen and a pronoun (or -ce, -t, -en, -y, and the
//                       "va-t-il"          va -t -il               -être of peut-être) make a token; other hyphens stay
//                                                                  inside their word: week-end, celui-ci, mother-in-law
//   English possessive  "Peter's"          peter 's                and 'm 're 've 'll 'd
//   English negation    "don't"            do n't
//   numbers             "1,000.50 2:30"    1,000.50 2:30
//   abbreviations       "Mr. U.S. a.m."    mr. u.s. a.m.           letters with full stops, and a short list of titles
//   URLs, addresses     "https://a.b/c?d"  https://a.b/c?d         without the punctuation after them
// If you join the tokens by spaces and tokenise the result, you get the same tokens.
Tokens tokenize(std::string_view text, const TokenizerOptions& options = {});

// A PlacedToken is a token with the positions of its code points in the original line. If normalisation composed
// several code points into one, or changed their order, the position covers all of them.
struct PlacedToken {
  std::string text;
  Spans points;  // one per code point of the text, in rising order
  Span span() const { return {points.front().begin, points.back().end}; }
};

// Returns the tokens of `tokenize` in their order, each with its position in the line. If you cut out the text at such
// a position and tokenise it, you get the same token.
std::vector<PlacedToken> place_tokens(std::string_view line, const TokenizerOptions& options = {});

// Joins tokens to a sentence: "je t' aime" becomes "je t'aime", and "cherchez -le ." becomes "cherchez-le.". It
// puts no space before . , ; : ! ? %, and no space after an opening or before a closing bracket or quote. Straight
// double quotes open and close in turn. It restores neither capitals nor the French space before ; : ! ?.
//
// If tokenize would split two joined tokens at another place, the function leaves a space between them. With
// Tokenization::characters, it joins the characters of scripts without spaces. Therefore tokenize(detokenize(x)) == x
// for every x that came from tokenize. If `places` is given, it receives the position of each token in the sentence.
std::string detokenize(const Tokens& tokens, const TokenizerOptions& options = {}, Spans* places = nullptr);

}  // namespace softalign::data
