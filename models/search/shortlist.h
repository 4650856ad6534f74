// With a shortlist, the model translates each source with a small set of words, so that the output layer is narrow. The
// set has likely translations of the source words and the most frequent words (Jean et al. 2015, "On using very large
// target vocabulary for neural machine translation": K most frequent words and K' likely ones of each source word).
#pragma once

#include <vector>

#include "models/search/beam_search.h"

namespace softalign::models {

class Shortlist {
 public:
  // `always` has words that are in every list. translations[x] has the translations of source word x. A larger x has no
  // translations. The special tokens are in every list.
  Shortlist(Ids always, std::vector<Ids> translations);

  // Returns the list of one source (S), in rising order.
  Ids words(const Ids& source) const;

 private:
  Ids always_;
  std::vector<Ids> translations_;
};

// This is beam_search, but each source of the batch may use only the words of its own list. Probabilities are softmaxes
// over these words. The result of a source does not depend on the other sources of the batch.
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const Shortlist& shortlist,
                                                 const BeamOptions& options);

}  // namespace softalign::models
