#include "data/text/truecasing.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <stdexcept>

#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

bool is_capital(char32_t c) {
  return utf8proc_tolower(static_cast<utf8proc_int32_t>(c)) != static_cast<utf8proc_int32_t>(c);
}

struct Letters {
  std::size_t all = 0, capital = 0;
  bool first = false;  // the first one is a capital
};

Letters letters_of(const std::string& word) {
  Letters letters;
  for (const char32_t c : decode_utf8(word)) {
    if (!is_letter(c)) continue;
    if (letters.all++ == 0) letters.first = is_capital(c);
    letters.capital += is_capital(c);
  }
  return letters;
}

bool in_capitals(const Letters& letters) { return letters.all > 1 && letters.capital == letters.all; }

std::string all_capital(const std::string& word) {
  std::u32string points = decode_utf8(word);
  for (char32_t& c : points) c = static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
  return encode_utf8(points);
}

std::string first_capital(const std::string& word) {
  std::u32string points = decode_utf8(word);
  const auto first = std::find_if(points.begin(), points.end(), is_letter);
  if (first != points.end()) *first = static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(*first)));
  return encode_utf8(points);
}

// first_word returns the position of the first token with a letter, or the number of tokens if no token has a letter.
std::size_t first_word(const Tokens& tokens) {
  const auto has_letter = [](const std::string& token) { return letters_of(token).all > 0; };
  return static_cast<std::size_t>(std::find_if(tokens.begin(), tokens.end(), has_letter) - tokens.begin());
}

}  // namespace

void TruecaseCounts::add(const Tokens& tokens, const Tokens& forms) {
  if (tokens.size() != forms.size())
    throw std::invalid_argument(fmt::format("TruecaseCounts: {} tokens, but {} forms", tokens.size(), forms.size()));
  const bool shouted = std::all_of(forms.begin(), forms.end(), [](const std::string& form) {
    const Letters letters = letters_of(form);
    return letters.capital == letters.all;
  });
  if (shouted) return;
  for (std::size_t i = first_word(tokens) + 1; i < tokens.size(); ++i) ++counts_[tokens[i]][forms[i]];
}

TruecaseModel TruecaseCounts::model() const {
  TruecaseModel table;
  for (const auto& [token, forms] : counts_) {
    const auto rarer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const std::string& most = std::max_element(forms.begin(), forms.end(), rarer)->first;
    if (most != token) table[token] = most;
  }
  return table;
}

std::string format_truecase_model(const TruecaseModel& forms) {
  std::string text;
  for (const auto& [token, form] : forms) text += fmt::format("{}\t{}\n", token, form);
  return text;
}

TruecaseModel read_truecase_model(const std::string& path) {
  TruecaseModel forms;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{}:{}", path, i + 1);
    const std::vector<std::string> columns = split_fields(lines[i], "\t");
    const auto is_word = [](const std::string& text) { return split_words(text) == Tokens{text}; };
    if (columns.size() != 2 || !std::all_of(columns.begin(), columns.end(), is_word))
      fail(where, "the line must have a word, a tab, and the form in which the word is written");
    if (!forms.emplace(columns[0], columns[1]).second)
      fail(where, fmt::format("{} is there twice", in_quotes(columns[0])));
  }
  return forms;
}

Tokens truecased(const Tokens& tokens, const TruecaseModel& forms) {
  Tokens written;
  for (const std::string& token : tokens) {
    const auto found = forms.find(token);
    written.push_back(found == forms.end() ? token : found->second);
  }
  return written;
}

Tokens cased_like_source(const Tokens& tokens, const Tokens& source, const Tokens& source_forms, const Links& links) {
  Tokens written = tokens;
  const std::size_t first = first_word(source_forms);
  for (const Link& link : links) {
    const std::string& form = source_forms.at(link.source);
    const Letters letters = letters_of(form);
    std::string& word = written.at(link.target);
    if (in_capitals(letters)) word = all_capital(word);
    else if (link.source == first) continue;
    else if (source.at(link.source) == tokens[link.target]) word = form;
    else if (letters.first && letters.all > 1) word = first_capital(word);
  }
  return written;
}

Tokens with_first_capital(Tokens tokens, const Tokens& source_forms) {
  const std::size_t from = first_word(source_forms), to = first_word(tokens);
  if (from < source_forms.size() && to < tokens.size() && letters_of(source_forms[from]).first)
    tokens[to] = first_capital(tokens[to]);
  return tokens;
}

}  // namespace softalign::data
