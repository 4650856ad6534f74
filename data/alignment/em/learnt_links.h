// This file learns links for a corpus without gold links, from its sentence pairs alone.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "data/alignment/em/em_aligner.h"

namespace softalign::data {

// A CorpusAligner learns from the pairs of a corpus by EM, in both directions, and aligns this corpus or other pairs.
class CorpusAligner {
 public:
  // Learns from the pairs that are neither blank nor too long (EmAligner::too_long). Source and target have at most
  // `most_words` words each; the constructor ignores longer pairs. It uses `pairs` only until it returns.
  CorpusAligner(const std::vector<Pair>& pairs, const EmOptions& options,
                std::size_t most_words = std::numeric_limits<std::size_t>::max());

  std::size_t learnt() const { return learnt_; }  // number of pairs from which it learns
  EmAligner& em() { return em_; }                 // call round() for each round
  const EmAligner& em() const { return em_; }

  // Calls `use` for each of the pairs from `begin` to end - 1 that is neither blank nor too long. `use` gets the index
  // of the pair and the probabilities of its links. All threads share these calls. `pairs` must be the corpus that the
  // constructor got. If the model learned from a pair, the probabilities of this pair come from the counts of all other
  // pairs (EmAligner::leave_one_out).
  using Use = std::function<void(std::size_t pair, EmAligner::BidirectionalPosteriors posteriors)>;
  void align(const std::vector<Pair>& pairs, std::size_t begin, std::size_t end, const Use& use) const;
  // Calls `use` as align() does, but for pairs of another corpus. Such pairs have added nothing to the counts, so
  // no counts are left out.
  void align_others(const std::vector<Pair>& pairs, std::size_t begin, std::size_t end, const Use& use) const;

 private:
  std::vector<std::optional<std::size_t>> places_;  // for each pair of the corpus: its index among the learned pairs
  std::size_t learnt_ = 0;
  EmAligner em_;
};

// Returns the links between the tokens of each pair. By default, these are the same links that the program `links`
// finds. They come from EM in both directions and the rule `agreement` (data/alignment/symmetrisation.h). The links of
// a pair use the counts of all other pairs (leave-one-out). A pair that is blank or too long has no links. If `stop`
// returns true after an EM iteration, the function returns an empty vector.
std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options = {},
                               const std::function<bool()>& stop = {});

}  // namespace softalign::data
