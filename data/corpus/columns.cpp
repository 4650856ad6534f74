#include "data/corpus/internal/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/io/internal/fields.h"
#include "data/io/quoted.h"

namespace data {

std::vector<std::string> columns_of(const std::string& line, size_t least, const char* expected,
                                    const std::string& where, Blank blank) {
  const size_t most = least + 2;
  if (blank != Blank::refuse && split_words(line).empty()) return std::vector<std::string>(most);
  std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() < least || columns.size() > most)
    fail(where, fmt::format("{}; {}",
                            line.empty()          ? "a blank line"
                            : columns.size() == 1 ? "no tab"
                                                  : fmt::format("{} columns", columns.size()),
                            expected));
  columns.resize(most);
  return columns;
}

bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, size_t sides, size_t line, Blank blank) {
  const auto side = columns.begin();
  if (blank == Blank::refuse || std::none_of(side, side + static_cast<std::ptrdiff_t>(sides),
                                             [](const auto& text) { return split_words(text).empty(); }))
    return false;
  if (blank == Blank::drop) {
    ++corpus.blank;
    return true;
  }
  Pair pair;
  pair.line = line;
  pair.source_line = columns[0];
  pair.target_line = columns[sides - 1];
  pair.blank = true;
  corpus.pairs.push_back(std::move(pair));
  return true;
}

Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where) {
  Tokens tokens = tokenize ? tokenize(text) : split_words(text);
  if (tokens.empty()) fail(where, fmt::format("the {} side is empty; every pair needs words on both sides", side));
  return tokens;
}

Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where) {
  Tokens answer = tokens_of(text, tokenize, what, where);
  if (answer.size() > 1)
    fail(where, fmt::format("the {} {} has {} words; one is written: join them, as in {}", what, in_quotes(text),
                            answer.size(), shortened(fmt::format("{}", fmt::join(answer, "_")))));
  return answer;
}

void check_words_kept(const std::string& text, const Tokens& tokens, const char* side, const std::string& where) {
  const size_t words = split_words(text).size();
  if (words == tokens.size()) return;
  fail(where,
       fmt::format("the {} side has {} words, but {} tokens after tokenisation, so its gold links would point to "
                   "the wrong words; give the text tokenised as the links count it, and no tokeniser",
                   side, words, tokens.size()));
}

std::vector<std::string> parse_tags(const std::string& text, const std::string& where) {
  if (text.empty()) return {};
  std::vector<std::string> tags = split_fields(text, ",");
  for (const std::string& tag : tags) {
    if (split_words(tag) != Tokens{tag}) {
      fail(where, fmt::format("{} is not a list of tags; expected names separated by commas, without spaces",
                              in_quotes(text)));
    }
  }
  return tags;
}

bool is_dropped(Corpus& corpus, size_t words, const CorpusOptions& options, const char* what,
                const std::string& where) {
  if (words <= options.max_length) return false;
  if (options.too_long == TooLong::refuse)
    fail(where, fmt::format("the {} has {} words, the limit is {}; {}", what, words, options.max_length, options.cure));
  corpus.dropped += 1;
  return true;
}

void check_any_left(const Corpus& corpus, const std::string& path, size_t max_length, const char* what) {
  if (!corpus.pairs.empty()) return;
  if (corpus.blank == 0)
    throw std::runtime_error(fmt::format("{}: all {} {} are longer than {} words; raise the limit (--max-length)", path,
                                         corpus.dropped, what, max_length));
  if (corpus.dropped == 0)
    throw std::runtime_error(
        fmt::format("{}: all {} {} have a blank side, so nothing is left of them", path, corpus.blank, what));
  throw std::runtime_error(
      fmt::format("{}: no {} are left: {} have a blank side, and {} are longer than {} words (--max-length)", path,
                  what, corpus.blank, corpus.dropped, max_length));
}

}  // namespace data
