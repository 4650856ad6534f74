#include "data/corpus/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/io/files.h"
#include "data/io/internal/fields.h"
#include "data/io/utf8.h"

namespace data {
namespace {

// The columns of one pair, and where they stand in the user's files.
struct Raw {
  std::string source, target, alignment, tags;
  size_t line;
  std::string source_where, target_where, alignment_where;  // "FILE:LINE"
};

Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where) {
  Tokens tokens = tokenize ? tokenize(text) : split_words(text);
  if (tokens.empty()) fail(where, fmt::format("the {} side is empty; every pair needs words on both sides", side));
  return tokens;
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
      fail(where,
           fmt::format("\"{}\" is not a list of tags; expected names separated by commas, without spaces", text));
    }
  }
  return tags;
}

void add_pair(Corpus& corpus, const Raw& raw, const CorpusOptions& options) {
  Pair pair;
  pair.line = raw.line;
  pair.source = tokens_of(raw.source, options.source, "source", raw.source_where);
  pair.target = tokens_of(raw.target, options.target, "target", raw.target_where);
  const size_t longest = std::max(pair.source.size(), pair.target.size());
  if (longest > options.max_length && options.too_long == TooLong::drop) {
    corpus.dropped += 1;
    return;
  }
  if (longest > options.max_length) {
    const bool source = pair.source.size() > options.max_length;
    fail(source ? raw.source_where : raw.target_where,
         fmt::format("the {} side has {} words, the limit is {}; {}", source ? "source" : "target", longest,
                     options.max_length, options.cure));
  }
  if (!split_words(raw.alignment).empty()) {
    check_words_kept(raw.source, pair.source, "source", raw.source_where);
    check_words_kept(raw.target, pair.target, "target", raw.target_where);
    pair.gold =
        parse_gold(raw.alignment, pair.source.size(), pair.target.size(), raw.alignment_where, options.first_word);
  }
  pair.tags = parse_tags(raw.tags, raw.source_where);
  pair.source_line = raw.source;
  pair.target_line = raw.target;
  corpus.pairs.push_back(std::move(pair));
}

void check_any_left(const Corpus& corpus, const std::string& path, size_t max_length, const char* what = "pairs") {
  if (!corpus.pairs.empty()) return;
  throw std::runtime_error(fmt::format("{}: all {} {} are longer than {} words; raise the limit (--max-length)", path,
                                       corpus.dropped, what, max_length));
}

void check_as_long(const std::string& path, size_t lines, const std::string& source_path, size_t source_lines) {
  if (lines == source_lines) return;
  throw std::runtime_error(fmt::format("{} has {} lines, but {} has {}; line n of each must belong to one pair", path,
                                       lines, source_path, source_lines));
}

}  // namespace

Corpus read_tsv(const std::string& path, const CorpusOptions& options) {
  const std::vector<std::string> lines = read_lines(path);
  Corpus corpus;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{}:{}", path, i + 1);
    std::vector<std::string> columns = split_fields(lines[i], "\t");
    constexpr const char* expected = "expected source<TAB>target[<TAB>alignment[<TAB>tags]]";
    if (columns.size() < 2) {
      fail(where, fmt::format("{}; {}", lines[i].empty() ? "a blank line" : "no tab", expected));
    }
    if (columns.size() > 4) fail(where, fmt::format("{} columns; {}", columns.size(), expected));
    columns.resize(4);
    add_pair(corpus, {columns[0], columns[1], columns[2], columns[3], i + 1, where, where, where}, options);
  }
  check_any_left(corpus, path, options.max_length);
  return corpus;
}

Corpus read_parallel(const std::string& source_path, const std::string& target_path, const std::string& alignment_path,
                     const CorpusOptions& options) {
  const std::vector<std::string> sources = read_lines(source_path), targets = read_lines(target_path);
  const bool aligned = !alignment_path.empty();
  const std::vector<std::string> alignments =
      aligned ? read_lines(alignment_path) : std::vector<std::string>(sources.size());
  check_as_long(target_path, targets.size(), source_path, sources.size());
  if (aligned) check_as_long(alignment_path, alignments.size(), source_path, sources.size());
  Corpus corpus;
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto where = [i](const std::string& path) { return fmt::format("{}:{}", path, i + 1); };
    add_pair(corpus,
             {sources[i], targets[i], alignments[i], "", i + 1, where(source_path), where(target_path),
              where(alignment_path)},
             options);
  }
  check_any_left(corpus, source_path, options.max_length);
  return corpus;
}

Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options) {
  const std::vector<std::string> lines = read_lines(path);
  Corpus corpus;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> columns = split_fields(lines[i], "\t");
    const std::string& text = columns.size() > 1 && !first_column ? columns[1] : columns[0];
    Pair pair{
        .source = {}, .target = options.target ? options.target(text) : split_words(text), .gold = {}, .tags = {}};
    if (pair.target.empty()) continue;
    if (pair.target.size() > options.max_length && options.too_long == TooLong::drop) {
      corpus.dropped += 1;
      continue;
    }
    if (pair.target.size() > options.max_length)
      fail(fmt::format("{}:{}", path, i + 1), fmt::format("the text has {} words, the limit is {}; {}",
                                                          pair.target.size(), options.max_length, options.cure));
    pair.line = i + 1;
    pair.target_line = text;
    corpus.pairs.push_back(std::move(pair));
  }
  if (corpus.pairs.empty() && corpus.dropped == 0)
    throw std::runtime_error(fmt::format("{}: no text in it; a text a line is expected", path));
  check_any_left(corpus, path, options.max_length, "texts");
  return corpus;
}

std::string format_tsv(const std::vector<Pair>& pairs) {
  const auto any = [&pairs](auto has) { return std::any_of(pairs.begin(), pairs.end(), has); };
  const bool tagged = any([](const Pair& pair) { return !pair.tags.empty(); });
  const bool aligned = tagged || any([](const Pair& pair) { return pair.gold.has_value(); });
  std::string text;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    for (const Tokens* side : {&pair.source, &pair.target}) {
      if (side->empty() || split_words(join_words(*side)) != *side) {
        throw std::invalid_argument(fmt::format("format_tsv: pair {} has an empty side or white space in a token", i));
      }
    }
    text += join_words(pair.source) + '\t' + join_words(pair.target);
    if (aligned) text += '\t' + (pair.gold ? format_gold(*pair.gold) : "");
    if (tagged) text += fmt::format("\t{}", fmt::join(pair.tags, ","));
    text += '\n';
  }
  return text;
}

Tokens split_words(std::string_view text) {
  Tokens words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char32_t point : decode_utf8(text)) {
    if (is_space(point)) flush();
    else word += encode_utf8(point);
  }
  flush();
  return words;
}

std::string join_words(const Tokens& tokens) { return fmt::format("{}", fmt::join(tokens, " ")); }

}  // namespace data
