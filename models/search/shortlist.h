// A shortlist is a small set of target words that the model may use for a source. It makes the output layer faster. It
// contains the most frequent words of the language and the likely translations of the source words. The idea is from
// Jean et al. 2015, "On using very large target vocabulary for neural machine translation".
#pragma once

#include <vector>

#include "models/search/beam_search.h"

namespace softalign::models {

class Shortlist {
 public:
  // Every shortlist contains the special tokens and the words in `always`. translations[x] has the translations of the
  // source word with id x. A source word has no translations if its id is not an index of `translations`.
  Shortlist(Ids always, std::vector<Ids> translations);

  // Returns the words that a translation of this source may use, in rising order of their ids.
  Ids words(const Ids& source) const;

 private:
  Ids always_;
  std::vector<Ids> translations_;
};

// Runs beam search, in which each source of the batch may only use the words of its own shortlist. Probabilities are
// softmaxes over these words. The result of a source does not depend on the other sources of the batch.
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const Shortlist& shortlist,
                                                 const BeamOptions& options);

}  // namespace softalign::models
