// Word alignment learnt from sentence pairs alone, in one direction, by expectation-maximisation: first with a diagonal
// prior (Dyer, Chahuneau & Smith 2013), then with jumps (Vogel, Ney & Tillmann 1996). Letters as in
// data/alignment/em/diagonal.h.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/alignment/em/posteriors.h"
#include "data/alignment/em/translation_table.h"

namespace softalign::data {

struct EmOptions {
  std::size_t diagonal_rounds = 5;           // of EM with the diagonal prior, at least 1
  std::size_t jump_rounds = 5;               // then with jumps; 0: none
  double diagonal_p0 = 0.08, jump_p0 = 0.2;  // of the empty word (Dyer et al. 2013; Och & Ney 2003)
  TablePrior prior;
};

// What a round of EM found before its M step.
struct EmRound {
  bool jumps = false;         // the prior: the diagonal or jumps
  double log_likelihood = 0;  // of the target sides given the source sides and their lengths, nats
  std::size_t words = 0;      // of the target sides
  double empty = 0;           // part of them that comes from the empty word, expected
  double lambda = 0;          // the diagonal's tension
  double perplexity() const;  // exp(- log_likelihood / words)
};

class EmAligner {
 public:
  // The most that words of both sides of one pair multiply to: some 3,000 words a side. Time grows with this product
  // times at most 257, and memory is 40 bytes times it.
  static constexpr std::size_t most_cells = 10'000'000;
  static bool too_long(const Pair& pair) {
    return pair.source.size() * pair.target.size() > most_cells || pair.source.size() + pair.target.size() > most_cells;
  }

  // Generates the words of `target` from those of `source`. `pairs` outlives this only until it returns.
  EmAligner(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target, const EmOptions& options);

  std::size_t rounds() const { return options_.diagonal_rounds + options_.jump_rounds; }
  // One of these: the E step over all pairs, on as many threads as OpenMP has, the same numbers whatever their number;
  // and the M step.
  EmRound round();

  // p(a_i = j | e, f) as attention: a row for each of `target`, a column for each of `source`, and one more, in which
  // the empty word stands where an attention has </s>.
  Matrix posteriors(const Tokens& source, const Tokens& target) const;

  const TranslationTable& table() const { return table_; }

 private:
  struct PairCells {
    std::size_t m, n;
    std::vector<Cell> cells;  // (m, n+1)
  };

  EmOptions options_;
  TranslationTable table_;
  std::vector<PairCells> pairs_;
  Diagonal diagonal_;
  Jumps jumps_;
  std::size_t done_ = 0;  // rounds
};

}  // namespace softalign::data
