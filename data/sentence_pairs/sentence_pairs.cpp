#include "data/sentence_pairs/sentence_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/corpus/columns.h"
#include "data/corpus/pharaoh.h"
#include "data/io/fields.h"
#include "data/io/files.h"

namespace softalign::data {

namespace {

Tokens words_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where) {
  Tokens words = tokens_of(text, tokenize, side, where);
  if (std::find(words.begin(), words.end(), pair_mark) != words.end())
    fail(where,
         fmt::format("the character {} occurs in the {}, but it separates the two sentences. Write another character",
                     pair_mark, side));
  return words;
}

}  // namespace

void set_premise(Pair& pair, const std::string& premise, const std::string& hypothesis, const Tokenize& tokenize,
                 const std::string& where) {
  const Tokens a = words_of(premise, tokenize, "premise", where),
               b = words_of(hypothesis, tokenize, "hypothesis", where);
  pair.source = pair.places = a;
  pair.source.insert(pair.source.end(), b.begin(), b.end());
  pair.places.emplace_back(pair_mark);
  pair.places.insert(pair.places.end(), b.begin(), b.end());
  pair.parts = {a.size(), b.size()};
}

Corpus read_sentence_pairs(const std::string& path, const CorpusOptions& options) {
  const RowForm form{3, "the form must be premise<TAB>hypothesis<TAB>label[<TAB>links[<TAB>tags]]", "pairs"};
  Corpus read = read_rows(read_lines(path), path, options, form, [&](Row& row, Corpus& corpus) {
    const std::vector<std::string>& columns = row.columns;
    Pair& pair = row.pair;
    if (is_blank(corpus, columns, form.sides, pair.line, options.blank)) return false;
    set_premise(pair, columns[0], columns[1], options.source, row.where);
    pair.target = answer_of(columns[2], options.target, "label", row.where);
    if (is_dropped(corpus, pair.source.size(), options, "pair", row.where)) return false;
    if (!split_words(columns[3]).empty()) {
      const auto middle = pair.source.begin() + static_cast<std::ptrdiff_t>(pair.parts[0]);
      const Tokens premise(pair.source.begin(), middle), hypothesis(middle, pair.source.end());
      pair.between = read_gold({columns[3], row.where, 4}, {columns[0], premise, options.source, "premise"},
                               {columns[1], hypothesis, options.source, "hypothesis"}, options.first_word)
                         .gold;
    }
    pair.source_line = columns[0] + " " + pair_mark + " " + columns[1];
    return true;
  });
  note_index_base(read, path, options.first_word);
  return read;
}

std::string format_sentence_pair(const Tokens& premise, const Tokens& hypothesis, const std::string& label,
                                 const Links& between) {
  return fmt::format("{}\t{}\t{}\t{}", join_words(premise), join_words(hypothesis), label, format_links(between));
}

Matrix attention_across(const AttentionWeights& weights, std::size_t m, std::size_t n) {
  Matrix rows;
  if (weights.heads.empty() || weights.heads.front().kind != HeadKind::encoder_self) return rows;
  const Matrix& all = weights.heads.front().matrix;
  if (all.size() < m + 1 + n) return rows;
  for (std::size_t j = 0; j < n; ++j)
    rows.emplace_back(all[m + 1 + j].begin(), all[m + 1 + j].begin() + static_cast<std::ptrdiff_t>(m));
  return rows;
}

Record record_across(const Record& record) {
  const auto mark = std::find(record.source.begin(), record.source.end(), pair_mark);
  Record between;
  between.id = record.id;
  between.mode = record.mode;
  between.source_eos = between.target_eos = false;
  between.source.assign(record.source.begin(), mark);
  if (mark != record.source.end()) between.target.assign(mark + 1, record.source.end());
  between.weights.matrix = attention_across(record.weights, between.source.size(), between.target.size());
  if (between.weights.matrix.empty())
    throw std::invalid_argument("across: a record of one sentence, or without attention");
  complete(between);
  return between;
}

}  // namespace softalign::data
