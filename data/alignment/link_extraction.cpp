#include "data/alignment/link_extraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace softalign::data {

namespace {

// rows_of_words returns the rows of the target words. Word t has row t, or row t + 1 if the model attends when it reads
// a word (Attends::input). The last word may have no row.
Matrix rows_of_words(const Record& record) {
  const std::size_t shift = record.attends == Attends::input ? 1 : 0, T = record.target.size();
  const std::size_t rows = std::min(record.weights.matrix.size(), T + shift);
  if (rows < shift || rows + 1 < T + shift) {
    throw std::invalid_argument(fmt::format("links_by: {} rows for {} target words", record.weights.matrix.size(), T));
  }
  Matrix words(record.weights.matrix.begin() + static_cast<std::ptrdiff_t>(shift),
               record.weights.matrix.begin() + static_cast<std::ptrdiff_t>(rows));
  for (const auto& row : words) {
    if (row.size() >= record.source.size() && !row.empty()) continue;
    throw std::invalid_argument(
        fmt::format("links_by: a row of {} columns for {} source words", row.size(), record.source.size()));
  }
  return words;
}

std::size_t best_of(const std::vector<float>& row, std::size_t columns) {
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(columns);
  return static_cast<std::size_t>(std::max_element(row.begin(), end) - row.begin());
}

bool best_of_column(const Matrix& rows, std::size_t t, std::size_t s) {
  for (std::size_t other = 0; other < rows.size(); ++other) {
    if (rows[other][s] > rows[t][s] || (rows[other][s] == rows[t][s] && other < t)) return false;
  }
  return true;
}

// is_linked returns whether word t is linked to word s.
bool is_linked(const LinkRule& rule, const Matrix& rows, std::size_t t, std::size_t s, std::size_t source_words) {
  const auto best = [&](std::size_t columns) { return s == best_of(rows[t], columns); };
  switch (rule.kind) {
    case LinkRuleKind::best:
    case LinkRuleKind::product:
      return best(rows[t].size());
    case LinkRuleKind::best_word:
      return best(source_words);
    case LinkRuleKind::threshold:
      return static_cast<double>(rows[t][s]) >= rule.threshold;
    case LinkRuleKind::mutual:
      return best(rows[t].size()) && best_of_column(rows, t, s);
  }
  return false;
}

// times_share replaces a_ts by a_ts a_ts / sum_t' a_t's, with t' over all rows.
Matrix times_share(Matrix rows, const Matrix& all) {
  std::vector<float> sums(all.empty() ? 0 : all.front().size());
  for (const auto& row : all) {
    for (std::size_t s = 0; s < std::min(row.size(), sums.size()); ++s) sums[s] += row[s];
  }
  for (auto& row : rows) {
    for (std::size_t s = 0; s < std::min(row.size(), sums.size()); ++s)
      if (sums[s] > 0) row[s] *= row[s] / sums[s];
  }
  return rows;
}

}  // namespace

Links links_by(const LinkRule& rule, const Record& record) {
  Matrix rows = rows_of_words(record);
  if (rule.kind == LinkRuleKind::product) rows = times_share(std::move(rows), record.weights.matrix);
  Links links;
  for (std::size_t s = 0; s < record.source.size(); ++s) {
    for (std::size_t t = 0; t < rows.size(); ++t)
      if (is_linked(rule, rows, t, s, record.source.size())) links.push_back({s, t});
  }
  return links;
}

}  // namespace softalign::data
