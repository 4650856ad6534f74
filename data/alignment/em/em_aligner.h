// EmAligner learns word alignment from sentence pairs only, in both directions, by expectation maximisation. The first
// rounds have a diagonal prior (Dyer, Chahuneau & Smith 2013). The later rounds have jumps
// (Vogel, Ney & Tillmann 1996). Both directions learn from the links that they agree on (Liang, Taskar & Klein 2006).
// data/alignment/em/diagonal.h explains the notation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/alignment/em/posteriors.h"
#include "data/alignment/em/translation_table.h"

namespace softalign::data {

struct EmOptions {
  std::size_t diagonal_rounds = 5;           // of EM with the diagonal prior, at least 1
  std::size_t jump_rounds = 5;               // then with jumps; 0: none
  double diagonal_p0 = 0.08, jump_p0 = 0.2;  // of the empty word (Dyer et al. 2013; Och & Ney 2003)
  // Both directions count r_ij = sqrt(p(a_i = j | e, f) p(a_j = i | f, e)) instead of their own
  // posteriors. Liang et al. 2006 use the product. The square root keeps the counts of words that only one direction is
  // sure of.
  bool agreement = true;
  TablePrior prior;
};

// EmRound has the results of a round of EM before its M step, in one direction.
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
  // A pair may have at most this product of its word counts, which is about 3,000 words per side. Time grows with the
  // product times at most 257, and memory is 100 bytes times the product.
  static constexpr std::size_t most_cells = 10'000'000;
  static bool too_long(const Pair& pair) {
    return pair.source.size() * pair.target.size() > most_cells || pair.source.size() + pair.target.size() > most_cells;
  }

  // `pairs` must exist only until the constructor returns.
  EmAligner(const std::vector<Pair>& pairs, const EmOptions& options);

  struct Round {
    EmRound forward, backward;  // targets given sources, and sources given targets
  };
  std::size_t rounds() const { return options_.diagonal_rounds + options_.jump_rounds; }
  // Computes one round: the E step over all pairs, on all OpenMP threads, and the M step. Results do not depend on the
  // number of threads.
  Round round();

  // Returns p(a_i = j | e, f) as attention. There is one row per target word (backward: source word) and one column per
  // word of the other side. A last column is for the empty word, in the position of </s>.
  struct Both {
    Matrix forward, backward;
  };
  Both posteriors(const Pair& pair) const;
  // Returns the same for the k-th training pair, with the counts of the other pairs (TranslationTable::leave_one_out).
  // Call it only after the last round.
  Both leave_one_out(std::size_t k, const Pair& pair) const;

  const TranslationTable& table() const { return forward_.table; }  // t(target | source)

 private:
  // A Direction is the model that generates the words of one side from the words of the other.
  struct Direction {
    TranslationTable table;
    Diagonal diagonal;
    Jumps jumps;
    std::vector<Cell> cells = {};  // of all pairs, (m, n+1) each
    std::vector<float> own = {};   // (m, n+1) each: what each cell added to the counts of the last round
  };
  struct Size {
    std::size_t m, n;               // target and source words
    std::size_t forward, backward;  // where the pair's cells begin
  };

  // Uses the diagonal prior or, if `jumps`, the prior of jumps.
  static Posteriors expect(const Direction& direction, bool jumps, const std::vector<double>& t, std::size_t m,
                           std::size_t n, Count count);
  Matrix attention(const Direction& direction, const std::vector<double>& t, std::size_t m, std::size_t n) const;
  bool jumping() const { return done_ >= options_.diagonal_rounds; }

  EmOptions options_;
  Direction forward_, backward_;
  std::vector<Size> pairs_;
  std::size_t done_ = 0;  // rounds
};

}  // namespace softalign::data
