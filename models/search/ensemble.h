// Ensembles: several models of the same vocabularies that decode as one.
//
//   p(y_i | y_<i, x) = 1/M sum_m p_m(y_i | y_<i, x)
//
// The models may differ in everything else. The attention is the mean over the models that have any; the single heads
// of a model are not told apart.
#pragma once

#include <memory>
#include <vector>

#include "models/seq2seq.h"

namespace models {

// A model that searches, samples and forced decoding can use as any other; of one model, that model itself. It is not
// there to be trained: with a Training, encode and forced throw std::invalid_argument, as does making one of no models
// and decoding with models whose vocabularies differ in size.
std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models);

}  // namespace models
