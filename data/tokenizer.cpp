#include "data/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <new>

#include "data/utf8.h"

namespace data {
namespace {

using Text = std::u32string_view;

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }
bool is_letter(char32_t c) { return category(c) >= UTF8PROC_CATEGORY_LU && category(c) <= UTF8PROC_CATEGORY_LO; }
bool is_mark(char32_t c) { return category(c) >= UTF8PROC_CATEGORY_MN && category(c) <= UTF8PROC_CATEGORY_ME; }
bool is_digit(char32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }
bool starts_word(char32_t c) {
  return is_letter(c) || c == '_' || (category(c) >= UTF8PROC_CATEGORY_ND && category(c) <= UTF8PROC_CATEGORY_NO);
}
// The zero-width (non-)joiner is part of how some scripts spell words.
bool continues_word(char32_t c) { return starts_word(c) || is_mark(c) || c == U'\u200C' || c == U'\u200D'; }

std::u32string lower(Text text) {
  std::u32string result(text);
  for (char32_t& c : result) c = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  return result;
}

bool is_one_of(Text word, std::initializer_list<Text> words) {
  return std::find(words.begin(), words.end(), lower(word)) != words.end();
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

// One piece of text without white space, from left to right. Each method takes one kind of token at `at_`, if there is
// one. What a token is never depends on what stands before it in the piece: hence tokens stay what they are when they
// are tokenised again by themselves.
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
  char32_t peek(size_t i) const { return i < text_.size() ? text_[i] : U'\0'; }

  void take(size_t end) {
    tokens_.push_back(text_.substr(at_, end - at_));
    at_ = end;
  }

  // https://a.b/c?d, www.a.b, a@b.c
  bool address() {
    const Text rest = text_.substr(at_);
    size_t end = text_.size();
    const auto starts = [&rest](Text prefix) {
      return lower(rest.substr(0, prefix.size())) == prefix && rest.size() > prefix.size() &&
             starts_word(rest[prefix.size()]);
    };
    if (starts(U"http://") || starts(U"https://") || starts(U"ftp://") || starts(U"www.")) {
      while (Text(U".,;:!?…)]}>»\"'”").find(text_[end - 1]) != Text::npos) --end;
    } else {
      if (!starts_word(rest[0]) || rest.find(U'@') == Text::npos) return false;
      for (end = at_; continues_word(peek(end)) || (peek(end) && Text(U".+-@").find(peek(end)) != Text::npos);) ++end;
      while (!continues_word(text_[end - 1])) --end;
      const Text candidate = text_.substr(at_, end - at_);
      const size_t sign = candidate.find(U'@');
      if (sign == Text::npos || candidate.find(U'@', sign + 1) != Text::npos) return false;
      if (candidate.find(U'.', sign) == Text::npos) return false;
    }
    take(end);
    return true;
  }

  // u.s. a.m. and the titles of the list
  bool abbreviation() {
    size_t end = at_, letters = 0;
    for (; is_letter(peek(end)) && peek(end + 1) == U'.'; end += 2) ++letters;
    if (letters > 0 && continues_word(peek(end))) {
      if (!is_letter(peek(end)) || continues_word(peek(end + 1))) return false;
      ++end;
      ++letters;
    }
    if (letters < 2) {
      for (end = at_; is_letter(peek(end));) ++end;
      if (peek(end) != U'.' || peek(end + 1) == U'.' || continues_word(peek(end + 1))) return false;
      if (!is_abbreviation(text_.substr(at_, end - at_))) return false;
      ++end;
    }
    take(end);
    return true;
  }

  // A clitic that stands at the front: 's  n't  -le  -t-il, and also -5.
  bool clitic() {
    const char32_t c = text_[at_];
    if (is_one_of(text_.substr(at_, 3), {U"n't"}) && !continues_word(peek(at_ + 3))) {
      take(at_ + 3);
      return true;
    }
    if (c == U'\'') {
      size_t end = at_ + 1;
      while (continues_word(peek(end))) ++end;
      if (!is_english_clitic(text_.substr(at_ + 1, end - at_ - 1)) || peek(end) == U'\'') return false;
      take(end);
      return true;
    }
    if (c != U'-' || !starts_word(peek(at_ + 1))) return false;
    const size_t end = word_end(at_ + 1);
    size_t stem = end;
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

  // The end of the word that begins at `begin`, with all its hyphens and apostrophes. An elision ends it: l'|eau.
  size_t word_end(size_t begin) const {
    size_t i = begin, segment = begin;  // segment: the part since the last hyphen
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

  // Where the clitics at the end of the word begin, last first: a-t-il -> -il, -t. `stem` is where the rest ends.
  std::vector<size_t> split(size_t begin, size_t end, size_t* stem) const {
    std::vector<size_t> cuts;
    while (end > begin) {
      const Text rest = text_.substr(begin, end - begin);
      const size_t apostrophe = rest.rfind(U'\''), hyphen = rest.rfind(U'-');
      size_t cut = 0;
      if (apostrophe != Text::npos && is_english_clitic(rest.substr(apostrophe + 1))) {
        cut = apostrophe;
      } else if (apostrophe != Text::npos && apostrophe > 0 && is_one_of(rest.substr(apostrophe - 1), {U"n't"})) {
        cut = apostrophe - 1;
      } else if (hyphen != Text::npos && is_french_clitic(rest.substr(hyphen + 1))) {
        cut = hyphen;
      } else {
        break;
      }
      end = begin + cut;
      cuts.push_back(end);
    }
    *stem = end;
    return cuts;
  }

  void take_split(size_t end) {
    size_t stem = end;
    std::vector<size_t> cuts = split(at_, end, &stem);
    std::reverse(cuts.begin(), cuts.end());
    for (const size_t cut : cuts) {
      if (cut > at_) take(cut);
    }
    take(end);
  }

  // A run of full stops or hyphens, or else one character with the marks that belong to it (a grapheme cluster).
  void symbol() {
    const char32_t c = text_[at_];
    size_t end = at_ + 1;
    if (c == U'.' || c == U'-') {
      while (peek(end) == c) ++end;
      if (end - at_ > 1 && !is_mark(peek(end))) return take(end);
      end = at_ + 1;
    }
    utf8proc_int32_t state = 0;
    while (end < text_.size() && !utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(text_[end - 1]),
                                                                   static_cast<utf8proc_int32_t>(text_[end]), &state)) {
      ++end;
    }
    take(end);
  }

  Text text_;
  size_t at_ = 0;
  std::vector<Text> tokens_;
};

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
    else if (category(c) != UTF8PROC_CATEGORY_CC || is_space(c)) points += c;
  }
  points = compose(points);
  return lowercase ? compose(lower(points)) : points;  // some lower-case letters compose where the capital does not
}

}  // namespace

Tokens tokenize(std::string_view text, const TokenizerOptions& options) {
  if (options.scheme == Tokenization::none) return split_words(text);
  const std::u32string points = normalize(text, options.lowercase);
  Tokens tokens;
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(), is_space);
    for (const Text token : Scanner(Text(begin, end)).run()) tokens.push_back(encode_utf8(token));
    begin = std::find_if_not(end, points.end(), is_space);
  }
  return tokens;
}

}  // namespace data
