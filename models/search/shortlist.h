// Shortlists: each source is translated with few words, those that its own words often become and the most frequent
// ones, so that the output layer is as narrow (Jean et al. 2015, "On using very large target vocabulary for neural
// machine translation": K most frequent words and K' likely ones of each source word).
#pragma once

#include <vector>

#include "models/search/beam_search.h"

namespace softalign::models {

class Shortlist {
 public:
  // `always`: words that every source may be translated with; translations[x]: those of the source word x, none of
  // words beyond. The special entries are in any list.
  Shortlist(Ids always, std::vector<Ids> translations);

  // The list of one source (S), in rising order.
  Ids words(const Ids& source) const;

 private:
  Ids always_;
  std::vector<Ids> translations_;
};

// beam_search in which each source of the batch may use only the words of its own list. Probabilities are softmaxes
// over these words. The result of a source does not depend on the other sources of the batch.
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const Shortlist& shortlist,
                                                 const BeamOptions& options);

}  // namespace softalign::models
