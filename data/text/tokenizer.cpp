#include "data/text/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "data/text/characters.h"
#include "data/text/normalise.h"

namespace softalign::data {

namespace {

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

// --- tokens in one piece of text without white space, on code points ---

using Text = std::u32string_view;

bool is_digit(char32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }
bool starts_word(char32_t c) {
  return is_letter(c) || c == '_' || (category(c) >= UTF8PROC_CATEGORY_ND && category(c) <= UTF8PROC_CATEGORY_NO);
}
// The zero-width (non-)joiner is part of how some scripts spell words.
bool continues_word(char32_t c) { return starts_word(c) || is_mark(c) || c == U'\u200C' || c == U'\u200D'; }

// All words of the lists are short, so longer words are not compared. A line without spaces therefore takes little
// time.
constexpr std::size_t longest_listed = 7;
bool is_one_of(Text word, std::initializer_list<Text> words) {
  return word.size() <= longest_listed && std::find(words.begin(), words.end(), lower(word)) != words.end();
}

bool is_elision(Text word) {
  return is_one_of(
      word, {U"c", U"ç", U"d", U"j", U"l", U"m", U"n", U"s", U"t", U"qu", U"jusqu", U"lorsqu", U"puisqu", U"quoiqu"});
}
bool is_french_clitic(Text word) {
  if (word.ends_with(U'\'')) return is_elision(word.substr(0, word.size() - 1));  // donne-m'en
  return is_one_of(word, {U"je", U"tu",  U"il",  U"elle", U"on",  U"nous", U"vous", U"ils", U"elles", U"ce",  U"le",
                          U"la", U"les", U"lui", U"leur", U"moi", U"toi",  U"y",    U"en",  U"t",     U"être"});
}
bool is_english_clitic(Text word) { return is_one_of(word, {U"s", U"m", U"d", U"re", U"ve", U"ll"}); }
bool is_abbreviation(Text word) {
  return is_one_of(word, {U"mr", U"mrs", U"ms", U"dr", U"prof", U"st", U"jr", U"sr", U"vs", U"etc", U"cf", U"m"});
}

// Scanner splits one piece of text without white space, from left to right. Each method takes one kind of token at
// `at_`, if there is one. A token never depends on the text before it in the piece. Therefore a token stays the same if
// it is tokenised again by itself.
//
// Apart from the token itself, no method looks at more than a constant number of code points. Therefore scanning takes
// linear time.
class Scanner {
 public:
  explicit Scanner(Text text) : text_(text) {}

  std::vector<Text> run() {
    while (at_ < text_.size()) {
      if (!address() && !abbreviation() && !clitic() && !word()) symbol();
    }
    return std::move(tokens_);
  }

 private:
  char32_t peek(std::size_t i) const { return i < text_.size() ? text_[i] : U'\0'; }

  void take(std::size_t end) {
    tokens_.push_back(text_.substr(at_, end - at_));
    at_ = end;
  }

  // address takes https://a.b/c?d, www.a.b or a@b.c.
  bool address() {
    const Text rest = text_.substr(at_);
    std::size_t end = text_.size();
    const auto starts = [&rest](Text prefix) {
      return lower(rest.substr(0, prefix.size())) == prefix && rest.size() > prefix.size() &&
             starts_word(rest[prefix.size()]);
    };
    if (starts(U"http://") || starts(U"https://") || starts(U"ftp://") || starts(U"www.")) {
      while (Text(U".,;:!?…)]}>»\"'”").find(text_[end - 1]) != Text::npos) --end;
    } else {
      if (!starts_word(rest[0])) return false;
      const auto allowed = [](char32_t c) {
        return continues_word(c) || c == U'.' || c == U'+' || c == U'-' || c == U'@';
      };
      for (end = at_; end < text_.size() && allowed(text_[end]); ++end) {
        if (end - at_ == longest_) return false;
      }
      while (!continues_word(text_[end - 1])) --end;
      const Text candidate = text_.substr(at_, end - at_);
      const std::size_t sign = candidate.find(U'@');
      if (sign == Text::npos || candidate.find(U'@', sign + 1) != Text::npos) return false;
      if (candidate.find(U'.', sign) == Text::npos) return false;
    }
    take(end);
    return true;
  }

  // abbreviation takes u.s. or a.m., or a title of the list.
  bool abbreviation() {
    std::size_t end = at_, letters = 0;
    for (; is_letter(peek(end)) && peek(end + 1) == U'.'; end += 2) {
      if (end - at_ >= longest_) return false;
      ++letters;
    }
    if (letters > 0 && continues_word(peek(end))) {
      if (!is_letter(peek(end)) || continues_word(peek(end + 1))) return false;
      ++end;
      ++letters;
    }
    if (letters < 2) {
      for (end = at_; is_letter(peek(end)) && end - at_ <= longest_listed;) ++end;
      if (peek(end) != U'.' || peek(end + 1) == U'.' || continues_word(peek(end + 1))) return false;
      if (!is_abbreviation(text_.substr(at_, end - at_))) return false;
      ++end;
    }
    take(end);
    return true;
  }

  // clitic takes a clitic at the beginning: 's, n't, -le, -t-il, and also -5.
  bool clitic() {
    const char32_t c = text_[at_];
    if (is_one_of(text_.substr(at_, 3), {U"n't"}) && !continues_word(peek(at_ + 3))) {
      take(at_ + 3);
      return true;
    }
    if (c == U'\'') {
      std::size_t end = at_ + 1;
      while (continues_word(peek(end))) ++end;
      if (!is_english_clitic(text_.substr(at_ + 1, end - at_ - 1)) || peek(end) == U'\'') return false;
      take(end);
      return true;
    }
    if (c != U'-' || !starts_word(peek(at_ + 1))) return false;
    const std::size_t end = word_end(at_ + 1);
    std::size_t stem = end;
    split(at_, end, &stem);
    if (stem > at_ && !is_digit(text_[at_ + 1])) return false;
    take_split(end);
    return true;
  }

  bool word() {
    if (!starts_word(text_[at_])) return false;
    take_split(word_end(at_));
    return true;
  }

  // word_end returns the end of the word that begins at `begin`, with all its hyphens and apostrophes. An elision ends
  // the word: l'|eau.
  std::size_t word_end(std::size_t begin) const {
    std::size_t i = begin, segment = begin;  // segment: the part since the last hyphen
    for (;; ++i) {
      const char32_t c = peek(i), next = peek(i + 1);
      if (c != 0 && continues_word(c)) continue;
      if (c == U'\'' && is_elision(text_.substr(segment, i - segment))) return i + 1;
      if (c == U'-' && starts_word(next)) {
        segment = i + 1;
        continue;
      }
      const bool in_number =
          (c == U'.' || c == U',' || c == U':' || c == U'/') && is_digit(text_[i - 1]) && is_digit(next);
      if (in_number || (c == U'\'' && is_letter(next))) continue;
      return i;
    }
  }

  // split returns the beginnings of the clitics at the end of the word, the last clitic first: a-t-il gives -il and -t.
  // It sets `stem` to the end of the rest of the word.
  std::vector<std::size_t> split(std::size_t begin, std::size_t end, std::size_t* stem) const {
    std::vector<std::size_t> cuts;
    while (end > begin) {
      const std::size_t tail = std::max(begin, end - std::min(end, longest_clitic_));
      const Text rest = text_.substr(tail, end - tail);
      const std::size_t apostrophe = rest.rfind(U'\''), hyphen = rest.rfind(U'-');
      std::size_t cut = 0;
      if (apostrophe != Text::npos && is_english_clitic(rest.substr(apostrophe + 1))) {
        cut = apostrophe;
      } else if (apostrophe != Text::npos && apostrophe > 0 && is_one_of(rest.substr(apostrophe - 1), {U"n't"})) {
        cut = apostrophe - 1;
      } else if (hyphen != Text::npos && is_french_clitic(rest.substr(hyphen + 1))) {
        cut = hyphen;
      } else {
        break;
      }
      end = tail + cut;
      cuts.push_back(end);
    }
    *stem = end;
    return cuts;
  }

  void take_split(std::size_t end) {
    std::size_t stem = end;
    std::vector<std::size_t> cuts = split(at_, end, &stem);
    std::reverse(cuts.begin(), cuts.end());
    for (const std::size_t cut : cuts) {
      if (cut > at_) take(cut);
    }
    take(end);
  }

  // symbol takes a run of full stops or hyphens, or one character with the marks that belong to it (a grapheme
  // cluster).
  void symbol() {
    const char32_t c = text_[at_];
    std::size_t end = at_ + 1;
    if (c == U'.' || c == U'-') {
      while (peek(end) == c) ++end;
      if (end - at_ > 1 && !is_mark(peek(end))) return take(end);
      while (at_ + 1 < end) take(at_ + 1);  // the mark belongs to the last of these characters
    }
    utf8proc_int32_t state = 0;
    while (end < text_.size() && !utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(text_[end - 1]),
                                                                   static_cast<utf8proc_int32_t>(text_[end]), &state)) {
      ++end;
    }
    take(end);
  }

  static constexpr std::size_t longest_ = 254;                            // of an address (RFC 5321), or of u.s.a.
  static constexpr std::size_t longest_clitic_ = longest_listed + 1 + 1;  // -jusqu', with both its signs

  Text text_;
  std::size_t at_ = 0;
  std::vector<Text> tokens_;
};

// scan_tokens returns the tokens of `piece`, which together are the complete piece. A token that is scanned by itself
// is one token again.
std::vector<std::u32string_view> scan_tokens(std::u32string_view piece) { return Scanner(piece).run(); }

// --- tokens of a sentence ---

// for_tokens calls use(text, begin, end) for each token. The token has the code points [begin, end) of the normalised
// text.
template <class Use>
void for_tokens(std::string_view line, const TokenizerOptions& options, const Use& use) {
  const NormalisedText text =
      options.scheme == Tokenization::none ? unchanged(line) : normalise(line, options.lowercase);
  const std::u32string& points = text.points;
  const bool whole = options.scheme == Tokenization::none || options.scheme == Tokenization::spaces;
  const auto separates = [whole](char32_t point) { return whole ? parts_words(point) : is_space(point); };
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(), separates);
    const auto from = static_cast<std::size_t>(begin - points.begin());
    const auto piece = std::u32string_view(points).substr(from, static_cast<std::size_t>(end - begin));
    const bool characters = options.scheme == Tokenization::characters;
    if (characters || options.scheme == Tokenization::words) {
      for (const auto part : characters ? split_characters(piece) : std::vector{piece}) {
        for (const auto token : scan_tokens(part)) {
          const std::size_t at = from + static_cast<std::size_t>(token.data() - piece.data());
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
  for_tokens(text, options, [&](const NormalisedText& normal, std::size_t begin, std::size_t end) {
    tokens.push_back(encode_utf8(std::u32string_view(normal.points).substr(begin, end - begin)));
  });
  return tokens;
}

std::vector<PlacedToken> place_tokens(std::string_view line, const TokenizerOptions& options) {
  std::vector<PlacedToken> tokens;
  for_tokens(line, options, [&](const NormalisedText& normal, std::size_t begin, std::size_t end) {
    const auto from = normal.from.begin();
    tokens.push_back({encode_utf8(std::u32string_view(normal.points).substr(begin, end - begin)),
                      Spans(from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end))});
  });
  return tokens;
}

// --- from tokens to a sentence ---

namespace {

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), token) != list.end();
}

bool is_letter_at(const std::string& token, std::size_t i) {
  return i < token.size() &&
         (static_cast<unsigned char>(token[i]) >= 0x80 || ((token[i] | 32) >= 'a' && (token[i] | 32) <= 'z'));
}

// 's, n't, -le and closing punctuation belong to the token before them.
bool attaches_left(const std::string& token) {
  if (is_one_of(token, {".", ",", ";", ":", "!", "?", "…", ")", "]", "}", "»", "”", "%", "n't"}) ||
      token.starts_with(".."))
    return true;
  return (token[0] == '\'' || token[0] == '-') && is_letter_at(token, 1);
}

// l', qu', -m' and opening punctuation belong to the token after them. $ and £ belong to the amount after them.
bool attaches_right(const std::string& token, const std::string& next) {
  if (is_one_of(token, {"(", "[", "{", "«", "“", "‘", "¿", "¡"})) return true;
  if (is_one_of(token, {"$", "£"})) return next[0] >= '0' && next[0] <= '9';
  return token.size() > 1 && token.ends_with('\'');
}

// touch is true for 我 爱, if the scheme has separated them.
bool touch(const std::string& before, const std::string& token, const TokenizerOptions& options) {
  if (options.scheme != Tokenization::characters) return false;
  return is_unspaced(decode_utf8(before).back()) && is_unspaced(decode_utf8(token).front());
}

// For each added token, its piece is tokenised again. Without this limit, a line of 10,000 question marks would take
// minutes.
constexpr std::size_t longest_piece = 50;

}  // namespace

std::string detokenize(const Tokens& tokens, const TokenizerOptions& options, Spans* places) {
  std::size_t length = 0;  // code points of the sentence so far
  const auto place = [&](const std::string& token, bool after_space) {
    if (!places) return;
    const std::size_t begin = length + after_space;
    length = begin + decode_utf8(token).size();
    places->push_back({begin, length});
  };
  if (places) places->clear();
  if (options.scheme != Tokenization::words && options.scheme != Tokenization::characters) {
    for (std::size_t i = 0; i < tokens.size(); ++i) place(tokens[i], i > 0);
    return join_words(tokens);
  }
  std::string text, piece;  // piece: the text since the last space
  Tokens in_piece;
  bool quoted = false, after_opening_quote = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
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
