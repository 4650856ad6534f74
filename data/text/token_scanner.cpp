#include "data/text/internal/token_scanner.h"

#include <algorithm>
#include <initializer_list>

#include "data/text/internal/categories.h"

namespace softalign::data {
namespace {

using Text = std::u32string_view;

bool is_digit(char32_t c) { return category(c) == UTF8PROC_CATEGORY_ND; }
bool starts_word(char32_t c) {
  return is_letter(c) || c == '_' || (category(c) >= UTF8PROC_CATEGORY_ND && category(c) <= UTF8PROC_CATEGORY_NO);
}
// The zero-width (non-)joiner is part of how some scripts spell words.
bool continues_word(char32_t c) { return starts_word(c) || is_mark(c) || c == U'\u200C' || c == U'\u200D'; }

// Every word of the lists is short; the rest need not be looked at, so that a line without spaces costs little.
constexpr size_t longest_listed = 7;
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

// One piece of text without white space, from left to right. Each method takes one kind of token at `at_`, if there is
// one. What a token is never depends on what stands before it in the piece: hence tokens stay what they are when they
// are tokenised again by themselves.
// None of them looks further than a constant, but for what it takes: a piece of any length is scanned in linear time.
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
      if (!starts_word(rest[0])) return false;
      const auto allowed = [](char32_t c) {
        return continues_word(c) || c == U'.' || c == U'+' || c == U'-' || c == U'@';
      };
      for (end = at_; end < text_.size() && allowed(text_[end]); ++end) {
        if (end - at_ == longest_) return false;
      }
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
      const size_t tail = std::max(begin, end - std::min(end, longest_clitic_));
      const Text rest = text_.substr(tail, end - tail);
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
      end = tail + cut;
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
      while (at_ + 1 < end) take(at_ + 1);  // the mark belongs to the last of them
    }
    utf8proc_int32_t state = 0;
    while (end < text_.size() && !utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(text_[end - 1]),
                                                                   static_cast<utf8proc_int32_t>(text_[end]), &state)) {
      ++end;
    }
    take(end);
  }

  static constexpr size_t longest_ = 254;                            // of an address (RFC 5321), or of u.s.a.
  static constexpr size_t longest_clitic_ = longest_listed + 1 + 1;  // -jusqu', with both its signs

  Text text_;
  size_t at_ = 0;
  std::vector<Text> tokens_;
};

}  // namespace

std::u32string lower(std::u32string_view text) {
  std::u32string result(text);
  for (char32_t& c : result) c = static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
  return result;
}

std::vector<std::u32string_view> scan_tokens(std::u32string_view piece) { return Scanner(piece).run(); }

}  // namespace softalign::data
