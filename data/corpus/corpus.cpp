#include "data/corpus/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "data/corpus/columns.h"
#include "data/corpus/layout.h"
#include "data/corpus/pharaoh.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

// "FILE:LINE" of both sides of a pair, for messages.
struct Where {
  std::string source, target;
};

// `pair` has its number and both lines as they stand in the file.
void add_pair(Corpus& corpus, Pair pair, const Where& where, const GoldColumn& gold, const std::string& tags,
              const CorpusOptions& options) {
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
    return;
  }
  const bool source = pair.source.size() > options.max_length;
  if (is_dropped(corpus, std::max(pair.source.size(), pair.target.size()), options,
                 source ? "source side" : "target side", source ? where.source : where.target))
    return;
  if (!split_words(gold.text).empty()) {
    GoldOverTokens read = read_gold(gold, {pair.source_line, pair.source, options.source, "source"},
                                    {pair.target_line, pair.target, options.target, "target"}, options.first_word);
    pair.gold = std::move(read.gold);
    pair.written = std::move(read.written);
  }
  pair.tags = parse_tags(tags, where.source);
  corpus.pairs.push_back(std::move(pair));
}

Pair pair_of_lines(std::string source, std::string target, std::size_t line) {
  Pair pair;
  pair.line = line;
  pair.source_line = std::move(source);
  pair.target_line = std::move(target);
  return pair;
}

void check_as_long(const std::string& path, std::size_t lines, const std::string& source_path,
                   std::size_t source_lines) {
  if (lines == source_lines) return;
  throw Error(ErrorKind::bad_data,
              fmt::format("{} has {} lines, but {} has {}. Line n of both files must belong to the same pair", path,
                          lines, source_path, source_lines));
}

}  // namespace

Corpus read_tsv(const std::string& path, const CorpusOptions& options) {
  const std::vector<std::string> lines = read_lines(path);
  Corpus corpus;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{}:{}", path, i + 1);
    const std::vector<std::string> columns =
        columns_of(lines[i], 2, "the form must be source<TAB>target[<TAB>alignment[<TAB>tags]]", where, options.blank);
    if (const std::string problem = problem_of_numbers(columns, where); !problem.empty())
      throw Error(ErrorKind::bad_data, problem);
    add_pair(corpus, pair_of_lines(columns[0], columns[1], i + 1), {where, where}, {columns[2], where, 3}, columns[3],
             options);
  }
  check_any_left(corpus, path, options.max_length);
  note_index_base(corpus, path, options.first_word);
  corpus.note += note_of_first_lines(lines, path);
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
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto where = [i](const std::string& path) { return fmt::format("{}:{}", path, i + 1); };
    add_pair(corpus, pair_of_lines(sources[i], targets[i], i + 1), {where(source_path), where(target_path)},
             {alignments[i], where(alignment_path), 0}, "", options);
  }
  check_any_left(corpus, source_path, options.max_length);
  note_index_base(corpus, aligned ? alignment_path : source_path, options.first_word);
  return corpus;
}

Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options) {
  const std::vector<std::string> lines = read_lines(path);
  Corpus corpus;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string> columns = split_fields(lines[i], "\t");
    const std::string& text = columns.size() > 1 && !first_column ? columns[1] : columns[0];
    Pair pair{
        .source = {}, .target = options.target ? options.target(text) : split_words(text), .gold = {}, .tags = {}};
    pair.blank = pair.target.empty();
    if (pair.blank && options.blank != Blank::keep) continue;
    if (is_dropped(corpus, pair.target.size(), options, "text", fmt::format("{}:{}", path, i + 1))) continue;
    if (!pair.blank && columns.size() > 2 && columns[0] == columns[1] && !split_words(columns[2]).empty()) {
      const GoldSide side{text, pair.target, options.target, "text"};
      GoldOverTokens read =
          read_gold({columns[2], fmt::format("{}:{}", path, i + 1), 3}, side, side, options.first_word);
      pair.gold = std::move(read.gold);
      pair.written = std::move(read.written);
    }
    pair.line = i + 1;
    pair.target_line = text;
    corpus.pairs.push_back(std::move(pair));
  }
  if (corpus.pairs.empty() && corpus.dropped == 0)
    throw Error(ErrorKind::bad_data, fmt::format("{}: the file has no text. Write one text per line", path));
  check_any_left(corpus, path, options.max_length, "texts");
  note_index_base(corpus, path, options.first_word);
  return corpus;
}

std::string format_tsv(const std::vector<Pair>& pairs) {
  const auto any = [&pairs](auto has) { return std::any_of(pairs.begin(), pairs.end(), has); };
  const bool tagged = any([](const Pair& pair) { return !pair.tags.empty(); });
  const bool aligned = tagged || any([](const Pair& pair) { return pair.gold.has_value(); });
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
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
  const auto parts = [](char byte) { return parts_words(static_cast<unsigned char>(byte)); };
  constexpr std::ptrdiff_t at_once = 256;  // a line of white space is not worth more
  words.reserve(static_cast<std::size_t>(std::min(at_once, 1 + std::count_if(text.begin(), text.end(), parts))));
  for (auto begin = text.begin();;) {
    begin = std::find_if_not(begin, text.end(), parts);
    if (begin == text.end()) return words;
    const auto end = std::find_if(begin, text.end(), parts);
    words.emplace_back(begin, end);
    begin = end;
  }
}

const Gold& gold_over_words(const Pair& pair) { return pair.written ? pair.written->gold : pair.gold.value(); }

Links links_over_words(const Links& links, const Pair& pair) {
  Links words = links;
  if (pair.written)
    for (Link& link : words) link = {pair.written->source.at(link.source), pair.written->target.at(link.target)};
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::string join_words(const Tokens& tokens) { return fmt::format("{}", fmt::join(tokens, " ")); }

}  // namespace softalign::data
