#include "data/alignment/merge_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace softalign::data {
namespace {

// The word of each of n positions, the </s> behind the pieces being a word of its own.
std::vector<size_t> words_of(std::vector<size_t> word, size_t positions, const char* side) {
  const size_t words = word.empty() ? 0 : word.back() + 1;
  if (positions == word.size() + 1) word.push_back(words);
  if (positions != word.size()) {
    throw std::invalid_argument(
        fmt::format("merge_pieces: {} {} positions for {} pieces", positions, side, word.size()));
  }
  return word;
}

bool looks(const std::vector<float>& row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return weight > 0; });
}

// The sum of thousands of floats is rounded away from 1; a record's rows sum to 1.
void round_off(std::vector<float>& row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (sum <= 0 || std::abs(sum - 1) < 5e-6) return;
  for (float& weight : row) weight = static_cast<float>(weight / sum);
}

Matrix merged_matrix(const Matrix& matrix, const std::vector<size_t>& rows, const std::vector<size_t>& columns) {
  Matrix merged(rows.back() + 1, std::vector<float>(columns.empty() ? 0 : columns.back() + 1));
  std::vector<float> pieces(merged.size());  // of each word those that look at something
  for (size_t t = 0; t < rows.size(); ++t) pieces[rows[t]] += looks(matrix[t]) ? 1 : 0;
  for (size_t t = 0; t < rows.size(); ++t) {
    if (!looks(matrix[t])) continue;
    for (size_t s = 0; s < columns.size(); ++s) merged[rows[t]][columns[s]] += matrix[t].at(s) / pieces[rows[t]];
  }
  for (std::vector<float>& row : merged) round_off(row);
  return merged;
}

// The decoder's self-attention, whose columns are what has been read: <s>, then the pieces before. Without a row of
// </s> the last word reads its own first pieces in the last column.
Matrix merge_read_pieces(const Matrix& matrix, const std::vector<size_t>& target) {
  if (matrix.empty()) return {};
  const std::vector<size_t> rows = words_of(target, matrix.size(), "target");
  std::vector<size_t> columns{0};
  for (size_t t = 0; t + 1 < rows.size(); ++t) columns.push_back(std::min(rows[t] + 1, rows.back()));
  if (matrix.front().size() != columns.size()) {
    throw std::invalid_argument(
        fmt::format("merge_pieces: {} columns of self-attention for {} rows", matrix.front().size(), columns.size()));
  }
  return merged_matrix(matrix, rows, columns);
}

// Of each word the mean of its pieces' gates.
std::vector<float> mean_of_pieces(const std::vector<float>& gate, const std::vector<size_t>& target) {
  if (gate.empty()) return {};
  const std::vector<size_t> words = words_of(target, gate.size(), "target");
  std::vector<float> means(words.back() + 1), pieces(means.size());
  for (const size_t word : words) ++pieces[word];
  for (size_t t = 0; t < words.size(); ++t) means[words[t]] += gate[t] / pieces[words[t]];
  return means;
}

}  // namespace

Matrix merge_pieces(const Matrix& matrix, const std::vector<size_t>& source, const std::vector<size_t>& target) {
  if (matrix.empty()) return {};
  const std::vector<size_t> rows = words_of(target, matrix.size(), "target");
  const std::vector<size_t> columns = words_of(source, matrix.front().size(), "source");
  return merged_matrix(matrix, rows, columns);
}

Weights merge_pieces(const Weights& weights, const std::vector<size_t>& source, const std::vector<size_t>& target) {
  Weights merged = weights;
  merged.matrix = merge_pieces(weights.matrix, source, target);
  merged.scores.clear();
  merged.norms.reset();
  merged.gate = mean_of_pieces(weights.gate, target);
  for (Head& head : merged.heads) {
    const bool of_source = head.kind == "encoder-self", of_target = head.kind == "self";
    head.scores.clear();
    head.matrix = head.kind == "decoder-self"
                      ? merge_read_pieces(head.matrix, target)
                      : merge_pieces(head.matrix, of_target ? target : source, of_source ? source : target);
  }
  return merged;
}

std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<size_t>& target) {
  if (log_prob.empty()) return {};
  const std::vector<size_t> words = words_of(target, log_prob.size(), "target");
  std::vector<float> merged(words.back() + 1);
  for (size_t t = 0; t < words.size(); ++t) merged[words[t]] += log_prob[t];
  return merged;
}

Record merge_pieces(const Record& record, const Joined& source, const Joined& target) {
  Record merged = record;
  merged.source = source.words;
  merged.target = target.words;
  static_cast<Weights&>(merged) = merge_pieces(static_cast<const Weights&>(record), source.word, target.word);
  merged.logprob = merge_log_prob(record.logprob, target.word);
  if (!merged.matrix.empty()) complete(merged);
  return merged;
}

Links expand_to_pieces(const Links& links, const std::vector<size_t>& source, const std::vector<size_t>& target) {
  Links pieces;
  for (const Link& link : links) {
    for (size_t s = 0; s < source.size(); ++s) {
      for (size_t t = 0; t < target.size(); ++t) {
        if (source[s] == link.source && target[t] == link.target) pieces.push_back({s, t});
      }
    }
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

Gold expand_to_pieces(const Gold& gold, const std::vector<size_t>& source, const std::vector<size_t>& target) {
  return {expand_to_pieces(gold.sure, source, target), expand_to_pieces(gold.possible, source, target)};
}

}  // namespace softalign::data
