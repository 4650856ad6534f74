#include "data/corpus/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "data/corpus/layout.h"
#include "data/corpus/pharaoh.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

void note_index_base(Corpus& corpus, const std::string& path, std::size_t first_word, const char* item) {
  if (first_word != 0) {
    const auto has_gold = [](const Pair& pair) { return pair.gold || !pair.between.sure.empty(); };
    if (std::none_of(corpus.pairs.begin(), corpus.pairs.end(), has_gold))
      corpus.note += fmt::format("note: {}: there are no gold links, so --one-based has no effect\n", path);
    return;
  }
  IndexBase base;
  for (const Pair& pair : corpus.pairs) base.add(pair.gold ? gold_over_words(pair) : pair.between);
  corpus.note += base.note(path, item);
}

namespace {

std::string problem_of_columns(const std::string& line, const std::vector<std::string>& columns, std::size_t most,
                               const char* expected, const std::string& where) {
  if (line.empty()) return fmt::format("{}: the line is blank; {}", where, expected);
  if (columns.size() == 1) return missing_tab(line, where, expected);
  if (columns.size() > most) return too_many_columns(columns, most, where, expected);
  return fmt::format("{}: the line has {} columns; {}", where, columns.size(), expected);
}

}  // namespace

std::vector<std::string> columns_of(const std::string& line, std::size_t least, const char* expected,
                                    const std::string& where, Blank blank) {
  const std::size_t most = least + 2;
  if (blank != Blank::refuse && split_words(line).empty()) return std::vector<std::string>(most);
  std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() < least || columns.size() > most)
    throw Error(ErrorKind::bad_data, problem_of_columns(line, columns, most, expected, where));
  columns.resize(most);
  return columns;
}

bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, std::size_t sides, std::size_t line,
              Blank blank) {
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
  if (tokens.empty())
    fail(where,
         fmt::format("the {} side is empty, but every pair needs words on both sides. Add words, or remove the line",
                     side));
  return tokens;
}

Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where) {
  if (const Tokens words = split_words(text); words.size() > 1 && std::all_of(words.begin(), words.end(), is_link))
    fail(where, fmt::format("column 3 has gold links, {}, but the {} is expected there. So the file has sentence pairs "
                            "for translation, and no {}. Give a file for the task of this run",
                            in_quotes(shortened(text)), what,
                            what == std::string("answer") ? "stories with questions" : "pairs with a label"));
  Tokens answer = tokens_of(text, tokenize, what, where);
  if (answer.size() > 1)
    fail(where,
         fmt::format("the {} {} has {} words, and the model writes only one word. Join the words, as in {}", what,
                     in_quotes(text), answer.size(), shortened(fmt::format("{}", fmt::join(answer, "_")))));
  return answer;
}

bool WordsOfTokens::same() const {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (first[i] != i) return false;
  return word.size() == words.size();
}

void WordsOfTokens::check_left(std::size_t i, const std::string& linked, const std::string& where) const {
  if (first[i] < first[i + 1]) return;
  fail(where, fmt::format("{}: the tokeniser removes word {} of the {}, {}, so this word cannot have a link. Remove "
                          "the link or the word",
                          linked, i, side, in_quotes(words[i])));
}

WordsOfTokens words_of_tokens(const GoldSide& side) {
  WordsOfTokens result{side.name, split_words(side.text), {}, {0}};
  if (result.words == side.tokens) {  // usually the text is already tokenised
    result.word.resize(result.words.size());
    result.first.resize(result.words.size() + 1);
    std::iota(result.word.begin(), result.word.end(), std::size_t{0});
    std::iota(result.first.begin(), result.first.end(), std::size_t{0});
    return result;
  }
  Tokens together;
  for (std::size_t i = 0; i < result.words.size(); ++i) {
    const Tokens tokens = side.tokenize ? side.tokenize(result.words[i]) : Tokens{result.words[i]};
    together.insert(together.end(), tokens.begin(), tokens.end());
    result.word.resize(together.size(), i);
    result.first.push_back(together.size());
  }
  if (together != side.tokens)
    throw std::logic_error(fmt::format("the tokens of {} are not those of its words", in_quotes(side.text)));
  return result;
}

namespace {

// fail_with_command throws an Error at `where`, "FILE:LINE". The message ends with a command, which gets the path of
// the file. Standard input has no path, so its command keeps the placeholder FILE.
[[noreturn]] void fail_with_command(const std::string& where, const std::string& message) {
  const std::string file = where.substr(0, where.rfind(':'));
  const bool has_path = where.find(':') != std::string::npos && file != "standard input" && file != "-";
  fail(where, with_file(message, has_path ? file : ""));
}

// check_is_links throws an Error unless at least half of the column consists of links. A column of text has another
// purpose.
void check_is_links(const GoldColumn& column, const std::string& source, const std::string& target) {
  const Tokens items = split_words(column.text);
  const auto links = static_cast<std::size_t>(std::count_if(items.begin(), items.end(), is_link));
  if (2 * links >= items.size()) return;
  if (column.column == 0)
    fail(column.where, fmt::format("this line is text, {}, but gold links such as 0-0 1-2 are expected. A file of "
                                   "links has the links of one pair per line",
                                   in_quotes(column.text)));
  const std::string text = fmt::format("column {} is text, {}, but gold links such as 0-0 1-2 are expected",
                                       column.column, in_quotes(column.text));
  if (split_words(target).empty())
    fail_with_command(column.where,
                      fmt::format("column {} is empty, and {}. If several tabs separate the sides, this command "
                                  "leaves one tab: tr -s '\\t' < FILE",
                                  column.column - 1, text));
  if (column.column == 3 && !source.empty() &&
      std::all_of(source.begin(), source.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
    fail_with_command(column.where,
                      fmt::format("column 1 is a number, and {}. If columns 2 and 3 are the sentences, this command "
                                  "keeps only these columns: cut -f2-3 FILE",
                                  text));
  fail_with_command(column.where,
                    fmt::format("column {0} is text, {1}, and gold links such as 0-0 1-2 are expected. To remove this "
                                "column: cut -f1-{2} FILE",
                                column.column, in_quotes(column.text), column.column - 1));
}

// over_tokens replaces a link between two words by the links between all tokens of these words.
Links over_tokens(const Links& links, const WordsOfTokens& source, const WordsOfTokens& target,
                  const std::string& where) {
  Links tokens;
  for (const Link& link : links) {
    const std::string linked = fmt::format("link {}-{} (from 0)", link.source, link.target);
    source.check_left(link.source, linked, where);
    target.check_left(link.target, linked, where);
    for (std::size_t s = source.first[link.source]; s < source.first[link.source + 1]; ++s)
      for (std::size_t t = target.first[link.target]; t < target.first[link.target + 1]; ++t) tokens.push_back({s, t});
  }
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

}  // namespace

GoldOverTokens read_gold(const GoldColumn& column, const GoldSide& source, const GoldSide& target,
                         std::size_t first_word) {
  check_is_links(column, source.text, target.text);
  const WordsOfTokens sources = words_of_tokens(source), targets = words_of_tokens(target);
  Gold gold = parse_gold(column.text, sources.words.size(), targets.words.size(), column.where, first_word);
  if (sources.same() && targets.same()) return {std::move(gold), std::nullopt};
  Gold tokens{over_tokens(gold.sure, sources, targets, column.where),
              over_tokens(gold.possible, sources, targets, column.where)};
  return {std::move(tokens), WrittenGold{std::move(gold), sources.word, targets.word}};
}

std::vector<std::string> parse_tags(const std::string& text, const std::string& where) {
  if (text.empty()) return {};
  std::vector<std::string> tags = split_fields(text, ",");
  for (const std::string& tag : tags) {
    if (split_words(tag) != Tokens{tag}) {
      fail(where, fmt::format("{} is not a list of tags. Tags are names without spaces, separated by commas",
                              in_quotes(text)));
    }
  }
  return tags;
}

bool is_dropped(Corpus& corpus, std::size_t words, const CorpusOptions& options, const char* what,
                const std::string& where) {
  if (words <= options.max_length) return false;
  if (options.too_long == TooLong::refuse)
    fail(where,
         fmt::format("the {} has {} words, but the limit is {}; {}", what, words, options.max_length, options.cure));
  corpus.dropped += 1;
  return true;
}

void check_any_left(const Corpus& corpus, const std::string& path, std::size_t max_length, const char* what) {
  if (!corpus.pairs.empty()) return;
  if (corpus.blank == 0 && corpus.dropped == 0)
    throw Error(ErrorKind::bad_data, fmt::format("{}: the file has no text. Write one text per line", path));
  if (corpus.blank == 0)
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: all {} {} are longer than {} words. Raise the limit with --max-length", path,
                            corpus.dropped, what, max_length));
  if (corpus.dropped == 0)
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: all {} {} have a blank side. Check whether the file has two columns with text", path,
                            corpus.blank, what));
  throw Error(ErrorKind::bad_data, fmt::format("{}: there are no {} that can be used, because {} have a blank side, "
                                               "and {} are longer than {} words. --max-length raises this limit",
                                               path, what, corpus.blank, corpus.dropped, max_length));
}

namespace {

// note_of_first_blank returns the note for the first line that is left out because a side has no words.
std::string note_of_first_blank(const std::vector<std::string>& columns, std::size_t sides, const std::string& path,
                                const std::string& where) {
  const auto is_empty = [&](std::size_t i) { return split_words(columns.at(i)).empty(); };
  std::size_t empty = 0, first = sides;
  for (std::size_t i = sides; i-- > 0;)
    if (is_empty(i)) ++empty, first = i;
  if (empty == sides) return fmt::format("note: {}: the line is blank. Lines without words are left out\n", where);
  if (empty == 0) return fmt::format("note: {}: a side has no words. Lines like this one are left out\n", where);
  const Tokens after = split_words(columns.at(sides));
  const bool shifted = first + 1 == sides && !after.empty() && !std::all_of(after.begin(), after.end(), is_link);
  return fmt::format("note: {}: column {} is empty. Lines like this one are left out{}\n", where, first + 1,
                     shifted ? fmt::format(", but column {} has text. If several tabs separate the sides, this command "
                                           "leaves one tab: tr -s '\\t' < {} > NEW",
                                           sides + 1, shell_word(path))
                             : std::string());
}

}  // namespace

Corpus read_rows(const std::vector<std::string>& lines, const std::string& path, const CorpusOptions& options,
                 const RowForm& form, const std::function<bool(Row& row, Corpus& corpus)>& build) {
  Corpus corpus;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Row row{.columns = {}, .where = fmt::format("{}:{}", path, i + 1), .pair = {}};
    row.pair.line = i + 1;
    if (form.sides == 0) {
      row.columns = split_fields(lines[i], "\t");
    } else {
      row.columns = columns_of(lines[i], form.sides, form.expected, row.where, options.blank);
      row.pair.source_line = row.columns.front();
      row.pair.target_line = row.columns[form.sides - 1];
    }
    const std::size_t blank = corpus.blank;
    if (!build(row, corpus)) {
      if (blank == 0 && corpus.blank > 0) corpus.note += note_of_first_blank(row.columns, form.sides, path, row.where);
      continue;
    }
    if (form.sides > 0) row.pair.tags = parse_tags(row.columns[form.sides + 1], row.where);
    corpus.pairs.push_back(std::move(row.pair));
  }
  check_any_left(corpus, path, options.max_length, form.items);
  return corpus;
}

}  // namespace softalign::data
