#include "data/alignment/em/em_aligner.h"

#include <algorithm>
#include <cmath>

namespace softalign::data {

double EmRound::perplexity() const { return std::exp(-log_likelihood / static_cast<double>(words)); }

EmAligner::EmAligner(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target,
                     const EmOptions& options)
    : options_(options), table_(pairs, source, target, options.prior) {
  diagonal_.p0 = options.diagonal_p0;
  jumps_.p0 = options.jump_p0;
  for (const Pair& pair : pairs) {
    const Ids e = table_.target().ids(pair.*target);
    Ids f = table_.source().ids(pair.*source);
    f.insert(f.begin(), empty_word);
    PairCells& cells = pairs_.emplace_back(PairCells{e.size(), f.size() - 1, {}});
    for (const Id target_word : e)
      for (const Id source_word : f) cells.cells.push_back(table_.cells().find(source_word, target_word));
  }
}

EmRound EmAligner::round() {
  EmRound result;
  result.jumps = done_ >= options_.diagonal_rounds;
  std::vector<double> counts(table_.cells().cells());
  DiagonalCounts diagonal;
  JumpTotals jumps;
  // The pairs of a block side by side, then their counts one after the other: sums do not depend on the threads.
  constexpr std::size_t block = 4096, block_cells = EmAligner::most_cells;
  std::vector<Posteriors> found(block);
  for (std::size_t begin = 0, size = 0; begin < pairs_.size(); begin += size) {
    size = 0;
    for (std::size_t cells = 0; size < std::min(block, pairs_.size() - begin) && (size == 0 || cells < block_cells);
         ++size)
      cells += pairs_[begin + size].cells.size();
#pragma omp parallel for schedule(dynamic, 32)
    for (std::size_t k = 0; k < size; ++k) {
      const PairCells& pair = pairs_[begin + k];
      std::vector<double> t(pair.cells.size());
      std::transform(pair.cells.begin(), pair.cells.end(), t.begin(), [this](Cell cell) { return table_[cell]; });
      found[k] =
          result.jumps ? data::posteriors(jumps_, t, pair.m, pair.n) : data::posteriors(diagonal_, t, pair.m, pair.n);
    }
    for (std::size_t k = 0; k < size; ++k) {
      const PairCells& pair = pairs_[begin + k];
      for (std::size_t c = 0; c < pair.cells.size(); ++c) counts[pair.cells[c]] += found[k].p[c];
      for (std::size_t i = 0; i < pair.m; ++i) result.empty += found[k].p[i * (pair.n + 1)];
      result.words += pair.m;
      result.log_likelihood += found[k].log_likelihood;
      if (result.jumps) jumps.add(found[k].jumps);
      else diagonal.add(found[k].p, pair.m, pair.n);
    }
  }
  result.empty /= static_cast<double>(result.words);
  table_.maximise(counts);
  if (result.jumps) jumps_ = jumps.best(options_.jump_p0);
  else diagonal_.lambda = diagonal.best_lambda();
  result.lambda = diagonal_.lambda;
  ++done_;
  return result;
}

Matrix EmAligner::posteriors(const Tokens& source, const Tokens& target) const {
  const std::size_t m = target.size(), n = source.size();
  const std::vector<double> t = table_.of_pair(source, target);
  const bool jumps = done_ > options_.diagonal_rounds;
  const Posteriors found =
      jumps ? data::posteriors(jumps_, t, m, n, Count::nothing) : data::posteriors(diagonal_, t, m, n);
  Matrix matrix(m, std::vector<float>(n + 1));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= n; ++j) matrix[i][(j + n) % (n + 1)] = static_cast<float>(found.p[i * (n + 1) + j]);
  }
  return matrix;
}

}  // namespace softalign::data
