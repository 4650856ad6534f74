#include "data/alignment/lexicon.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/corpus/vocabulary.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

void LinkCounts::add(const Tokens& source, const Tokens& target, const Links& links) {
  for (const Link& link : links) ++counts_[source.at(link.source)][target.at(link.target)];
}

Lexicon LinkCounts::lexicon() const {
  Lexicon lexicon;
  for (const auto& [source, targets] : counts_) {
    std::size_t all = 0, most = 0;
    Translation& best = lexicon[source];
    for (const auto& [target, count] : targets) {
      all += count;
      if (count > most) {
        most = count;
        best.word = target;
      }
    }
    best.probability = static_cast<double>(most) / static_cast<double>(all);
  }
  return lexicon;
}

std::string format_lexicon(const Lexicon& lexicon) {
  std::string text;
  for (const auto& [source, best] : lexicon)
    text += fmt::format("{}\t{}\t{:.6f}\n", source, best.word, best.probability);
  return text;
}

namespace {

void check_word(const std::string& word, const std::string& where) {
  if (split_words(word) != Tokens{word})
    fail(where, fmt::format("{} is not a word, because it is empty or contains white space", in_quotes(word)));
}

TableRow table_row(const std::string& line, const std::string& where) {
  const std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() != 3) {
    fail(where, fmt::format("the line has {} column{}. The expected form is source<TAB>target<TAB>probability",
                            columns.size(), columns.size() == 1 ? "" : "s"));
  }
  if (!columns[0].empty()) check_word(columns[0], where);
  check_word(columns[1], where);
  const auto probability = number<double>(columns[2]);
  if (!probability || *probability < 0 || *probability > 1)
    fail(where, fmt::format("{} is not a probability in 0 .. 1", in_quotes(columns[2])));
  return {columns[0], columns[1], *probability};
}

// for_rows calls use(row, where) for each line.
template <class Use>
void for_rows(const std::string& path, const Use& use) {
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string where = fmt::format("{}:{}", path, i + 1);
    use(table_row(lines[i], where), where);
  }
}

}  // namespace

Lexicon read_lexicon(const std::string& path) {
  Lexicon lexicon;
  for_rows(path, [&](const TableRow& row, const std::string& where) {
    check_word(row.source, where);
    if (!lexicon.emplace(row.source, Translation{row.target, row.probability}).second)
      fail(where, fmt::format("the file already has a translation of {}. Give only one translation per word",
                              in_quotes(row.source)));
  });
  return lexicon;
}

std::vector<TableRow> read_table(const std::string& path) {
  std::vector<TableRow> table;
  for_rows(path, [&](const TableRow& row, const std::string&) { table.push_back(row); });
  return table;
}

std::size_t replace_unknown(Record& record, const Lexicon& lexicon) {
  if (record.weights.matrix.size() < record.target.size() || record.attends != Attends::output) {
    throw std::invalid_argument("replace_unknown: the record has no attention for the words that it writes");
  }
  if (record.source.empty()) return 0;
  std::size_t replaced = 0;
  for (std::size_t t = 0; t < record.target.size(); ++t) {
    if (record.target[t] != unk_token) continue;
    const auto begin = record.weights.matrix[t].begin();
    const auto words_end = begin + static_cast<std::ptrdiff_t>(record.source.size());
    const std::string& source = record.source[static_cast<std::size_t>(std::max_element(begin, words_end) - begin)];
    const auto found = lexicon.find(source);
    record.target[t] = found == lexicon.end() ? source : found->second.word;
    ++replaced;
  }
  return replaced;
}

}  // namespace softalign::data
