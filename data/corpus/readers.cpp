#include "data/corpus/readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/corpus/columns.h"
#include "data/corpus/layout.h"
#include "data/corpus/pharaoh.h"
#include "data/io/error.h"
#include "data/io/files.h"

namespace softalign::data {

namespace {

// The struct Where has "FILE:LINE" of both sides of a pair, for messages.
struct Where {
  std::string source, target;
};

// set_sides sets the tokens and gold links of a pair that has both lines of the file. It returns false if the corpus
// leaves the pair out.
bool set_sides(Pair& pair, Corpus& corpus, const Where& where, const GoldColumn& gold, const CorpusOptions& options) {
  const auto words_of = [&](const std::string& text, const Tokenize& tokenize, const char* side,
                            const std::string& line) {
    if (options.blank == Blank::refuse) return tokens_of(text, tokenize, side, line);
    return tokenize ? tokenize(text) : split_words(text);
  };
  pair.source = words_of(pair.source_line, options.source, "source", where.source);
  pair.target = words_of(pair.target_line, options.target, "target", where.target);
  pair.blank = pair.source.empty() || pair.target.empty();
  if (pair.blank && options.blank == Blank::drop) {
    ++corpus.blank;
    return false;
  }
  const bool source = pair.source.size() > options.max_length;
  if (is_dropped(corpus, std::max(pair.source.size(), pair.target.size()), options,
                 source ? "source side" : "target side", source ? where.source : where.target))
    return false;
  if (!split_words(gold.text).empty()) {
    GoldOverTokens read = read_gold(gold, {pair.source_line, pair.source, options.source, "source"},
                                    {pair.target_line, pair.target, options.target, "target"}, options.first_word);
    pair.gold = std::move(read.gold);
    pair.written = std::move(read.written);
  }
  return true;
}

void check_as_long(const std::string& path, std::size_t lines, const std::string& source_path,
                   std::size_t source_lines) {
  if (lines == source_lines) return;
  throw Error(ErrorKind::bad_data,
              fmt::format("{} has {} {}, but {} has {}. Line n of both files must belong to the same pair", path, lines,
                          lines == 1 ? "line" : "lines", source_path, source_lines));
}

}  // namespace

Corpus read_tsv(const std::string& path, const CorpusOptions& options) {
  std::vector<std::string> lines = read_lines(path);
  put_tabs(lines, path);
  const RowForm form{2, "the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]", "pairs"};
  Corpus read = read_rows(lines, path, options, form, [&](Row& row, Corpus& corpus) {
    if (const std::string problem = problem_of_numbers(row.columns, row.where); !problem.empty())
      throw Error(ErrorKind::bad_data, problem);
    return set_sides(row.pair, corpus, {row.where, row.where}, {row.columns[2], row.where, 3}, options);
  });
  note_index_base(read, path, options.first_word);
  read.note += note_of_first_lines(lines, path);
  return read;
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
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto where = [i](const std::string& path) { return fmt::format("{}:{}", path, i + 1); };
    Pair pair;
    pair.line = i + 1;
    pair.source_line = sources[i];
    pair.target_line = targets[i];
    if (set_sides(pair, corpus, {where(source_path), where(target_path)}, {alignments[i], where(alignment_path), 0},
                  options))
      corpus.pairs.push_back(std::move(pair));
    else if (corpus.blank > 0 && corpus.note.empty())
      corpus.note = fmt::format("note: {}: the line has no words. Such pairs are left out\n",
                                where(split_words(sources[i]).empty() ? source_path : target_path));
  }
  check_any_left(corpus, source_path, options.max_length);
  note_index_base(corpus, aligned ? alignment_path : source_path, options.first_word);
  return corpus;
}

Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options) {
  const RowForm form{0, "", "texts"};
  Corpus texts = read_rows(read_lines(path), path, options, form, [&](Row& row, Corpus& corpus) {
    const std::vector<std::string>& columns = row.columns;
    const std::string& text = columns.size() > 1 && !first_column ? columns[1] : columns[0];
    Pair& pair = row.pair;
    pair.target = options.target ? options.target(text) : split_words(text);
    pair.target_line = text;
    pair.blank = pair.target.empty();
    if (pair.blank) return options.blank == Blank::keep;
    if (is_dropped(corpus, pair.target.size(), options, "text", row.where)) return false;
    if (columns.size() > 2 && columns[0] == columns[1] && !split_words(columns[2]).empty()) {
      const GoldSide side{text, pair.target, options.target, "text"};
      GoldOverTokens read = read_gold({columns[2], row.where, 3}, side, side, options.first_word);
      pair.gold = std::move(read.gold);
      pair.written = std::move(read.written);
    }
    return true;
  });
  note_index_base(texts, path, options.first_word);
  return texts;
}

}  // namespace softalign::data
