#include "data/alignment/across.h"

#include <algorithm>
#include <stdexcept>

#include "data/sentence_pairs/sentence_pairs.h"

namespace softalign::data {

Matrix looks_across(const Weights& weights, size_t m, size_t n) {
  Matrix rows;
  if (weights.heads.empty() || weights.heads.front().kind != "encoder-self") return rows;
  const Matrix& all = weights.heads.front().matrix;
  if (all.size() < m + 1 + n) return rows;
  for (size_t j = 0; j < n; ++j)
    rows.emplace_back(all[m + 1 + j].begin(), all[m + 1 + j].begin() + static_cast<std::ptrdiff_t>(m));
  return rows;
}

Record across(const Record& record) {
  const auto mark = std::find(record.source.begin(), record.source.end(), pair_mark);
  Record between;
  between.id = record.id;
  between.mode = record.mode;
  between.source_eos = between.target_eos = false;
  between.source.assign(record.source.begin(), mark);
  if (mark != record.source.end()) between.target.assign(mark + 1, record.source.end());
  between.matrix = looks_across(record, between.source.size(), between.target.size());
  if (between.matrix.empty()) throw std::invalid_argument("across: a record of one sentence, or without looks");
  complete(between);
  return between;
}

}  // namespace softalign::data
