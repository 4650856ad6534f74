// WordTables: what stands between ids and vectors on both ends of a model.
#pragma once

#include "layers/dense/linear.h"
#include "models/options.h"
#include "models/seq2seq.h"

namespace models {

// Letters: V_x, V_y vocabularies, E embedding, l size of what the output layer reads.
// Tied (Press & Wolf 2017): the output layer's W is the target embedding's transpose, so l = E; with "all" the source
// embedding is the target's too, so both sides share one vocabulary.
struct WordTables {
  layers::Embedding target;  // (V_y, E)
  layers::Embedding source;  // (V_x, E)
  Var W;                     // (l, V_y)  undefined if tied
  Var b;                     // (V_y)

  WordTables(const ModelOptions& options, std::size_t l, const autograd::Params& p, const layers::Scheme& init);

  Var logits(const Var& t) const;  // t W + b                    (R, l) -> (R, V_y)
  // -log softmax(t W + b)[y], smoothed; 0 on padding            (T*B, l) -> (T*B)
  Var losses(const Var& t, const Ids& words, const Training* training) const;
};

}  // namespace models
