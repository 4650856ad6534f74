// The layers between ids and vectors at both ends of a model.
#pragma once

#include <memory>

#include "layers/dense/linear.h"
#include "layers/dense/output.h"
#include "models/decoder.h"
#include "models/options.h"

namespace softalign::models {

// A decoder's words, read and written. Tied (Press & Wolf 2017) the output layer's W is the embedding's transpose, so
// l = E.
struct TargetEmbedding {
  layers::Embedding embedding;  // (V_y, E)
  Var W;                        // (l, V_y)  undefined if tied
  Var b;                        // (V_y)

  // Declares the output layer. The embedding exists already, because it may also be that of the source.
  TargetEmbedding(layers::Embedding target, const ModelOptions& options, std::size_t l, const autograd::Params& p,
                  const layers::InitialiserConfig& init);

  Var operator()(const Ids& words) const { return embedding(words); }                    // (N) -> (N, E)
  Var operator()(const Ids& words, std::size_t B) const { return embedding(words, B); }  // (T*B) -> (T, B, E)
  Var logits(const Var& t) const;                // t W + b    (R, l) -> (R, V_y)
  TargetEmbedding only(const Ids& words) const;  // copies of their rows of E, columns of W, entries of b
  // -log softmax(t W + b)[y], smoothed; 0 on padding            (T, B, l) -> (T*B)
  Var losses(const Var& t, const Ids& words, const Training* training) const;
};
// Implements Decoder::with_words: its `tables` are restricted, and everything else is shared.
template <class D>
std::unique_ptr<Decoder> with_only(const D& decoder, TargetEmbedding D::*tables, const Ids& words) {
  auto fewer = std::make_unique<D>(decoder);
  (*fewer).*tables = (decoder.*tables).only(words);
  return fewer;
}
layers::Embedding target_embedding(const ModelOptions& options, std::size_t E, const autograd::Params& p,
                                   const layers::InitialiserConfig& init);

// Both sides. Tied with "all" the source embedding is the target's too, so both share one vocabulary.
struct Embeddings {
  layers::Embedding source;  // (V_x, E_x), as the encoder has it (models/encoder.h); none of pictures
  TargetEmbedding target;
};
Embeddings make_embeddings(const ModelOptions& options, std::size_t E, std::size_t l, const autograd::Params& p,
                           const layers::InitialiserConfig& init);

}  // namespace softalign::models
