// EmAligner learns word alignment from sentence pairs alone, without gold links. It uses expectation maximisation (EM)
// in both directions. In the first rounds, links near the diagonal are more probable (Dyer, Chahuneau & Smith 2013).
// How much more is constant at first, so that words that stand far apart in both sentences can find each other. In the
// later rounds, short jumps between the links of neighbouring words are more probable (Vogel, Ney & Tillmann 1996).
// Both directions learn from the links on which they agree (Liang, Taskar & Klein 2006). diagonal.h explains the
// notation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/alignment/em/posteriors.h"
#include "data/alignment/em/translation_table.h"

namespace softalign::data {

struct EmOptions {
  std::size_t diagonal_rounds = 8;           // rounds of EM with the diagonal prior, at least 1
  std::size_t constant_rounds = 7;           // the first of these rounds, in which lambda does not change
  std::size_t jump_rounds = 5;               // later rounds, with jumps; 0: none
  double diagonal_p0 = 0.08, jump_p0 = 0.2;  // probability of the empty word (Dyer et al. 2013; Och & Ney 2003)
  // With `agreement`, both directions add the same number to their counts of a link: r_ij = sqrt(p(a_i = j | e, f)
  // p(a_j = i | f, e)). This is the geometric mean of the link's probabilities in both directions. p(a_i = j | e, f) is
  // the probability that target word i is linked to source word j, given both sentences. Liang et al. 2006 use the
  // product instead. If only one direction is sure of a link, the square root lowers the number less than the product
  // does.
  bool agreement = true;
  TablePrior prior;
};

// EmRound has the results of one round of EM in one direction. The round computes them before it updates the model.
struct EmRound {
  bool jumps = false;         // true: prior of jumps; false: diagonal prior
  double log_likelihood = 0;  // log p(targets | sources) in nats
  std::size_t words = 0;      // number of target words
  double empty = 0;           // expected share of the words that the empty word generates
  double lambda = 0;          // weight of the diagonal (Diagonal::lambda)
  double perplexity() const;  // exp(- log_likelihood / words)
};

class EmAligner {
 public:
  // The number of source words of a pair times its number of target words may be at most most_cells. So each sentence
  // may have about 3,000 words. The time of EM grows with this product, and its memory is about 60 bytes times the
  // product.
  static constexpr std::size_t most_cells = 10'000'000;
  static bool too_long(const Pair& pair) { return pair.source.size() * pair.target.size() > most_cells; }

  // `pairs` must exist only until the constructor returns.
  EmAligner(const std::vector<Pair>& pairs, const EmOptions& options);

  struct Round {
    EmRound forward, backward;  // p(target | source), and p(source | target)
  };
  std::size_t rounds() const { return options_.diagonal_rounds + options_.jump_rounds; }
  // Computes one round of EM. The E step computes the probabilities of links in all pairs, with all OpenMP threads. The
  // M step then updates the model. Results do not depend on the number of threads.
  Round round();

  // BidirectionalPosteriors has the probabilities of links in a pair for both directions, as matrices like attention
  // weights. `forward` has one row per target word and one column per source word. `backward` has one row per source
  // word and one column per target word. Each matrix has a last column for the empty word, where attention weights have
  // </s>.
  struct BidirectionalPosteriors {
    Matrix forward, backward;
  };
  BidirectionalPosteriors posteriors(const Pair& pair) const;
  // Returns the probabilities of links in the k-th training pair, from the counts of all other pairs
  // (TranslationTable::leave_one_out). Call it only after the last round.
  BidirectionalPosteriors leave_one_out(std::size_t k, const Pair& pair) const;

  const TranslationTable& table() const { return forward_.table; }  // t(target | source)

 private:
  // A Direction is the model that generates the target words from the source words, or the reverse.
  struct Direction {
    TranslationTable table;
    Diagonal diagonal;
    Jumps jumps;
    std::vector<Cell> cells = {};  // cells of all pairs, (m, n+1) per pair
    std::vector<float> own = {};   // (m, n+1) per pair: the counts of each cell in the last round
  };
  struct Size {
    std::size_t m, n;               // numbers of target and source words
    std::size_t forward, backward;  // index of the pair's first cell in each direction
  };

  struct PairPosteriors {
    Posteriors forward, backward;
  };
  struct ExpectedCounts;  // sums of one round in one direction
  class Priors;           // the priors of one round in one direction, by the lengths of pairs

  // These functions are the steps of a round of EM. start() returns an ExpectedCounts in which all sums are 0. The E
  // step goes through the pairs in blocks: in expect_block, all threads share the pairs of a block, and add_counts then
  // adds up their counts. The M step, maximise(), updates the model of a direction and returns the results of the
  // round.
  ExpectedCounts start(Direction& direction) const;
  std::size_t block_size(std::size_t begin) const;  // number of pairs in the block that begins with this pair
  Posteriors expect_pair(const Direction& direction, std::size_t begin, std::size_t m, std::size_t n,
                         Priors& priors) const;
  void expect_block(std::size_t begin, std::span<PairPosteriors> found) const;
  void add_counts(Direction& direction, const Posteriors& found, std::size_t begin, std::size_t m, std::size_t n,
                  ExpectedCounts& expected) const;
  EmRound maximise(Direction& direction, ExpectedCounts& expected) const;

  // Computes the probabilities of links in one pair (E step of EM). If `jumps` is true, it uses the prior that prefers
  // short jumps, and otherwise the prior that prefers the diagonal.
  static Posteriors expect(Priors& priors, bool jumps, const std::vector<double>& t, std::size_t m, std::size_t n,
                           CountJumps count_jumps);
  Matrix attention(const Direction& direction, const std::vector<double>& t, std::size_t m, std::size_t n) const;
  bool jumping() const { return done_ >= options_.diagonal_rounds; }
  bool is_last() const { return done_ + 1 == rounds(); }

  EmOptions options_;
  Direction forward_, backward_;
  std::vector<Size> pairs_;
  std::size_t done_ = 0;  // number of rounds computed so far
};

}  // namespace softalign::data
