// These layers map ids to vectors and vectors to ids, at both ends of a model. docs/notation.md explains the letters.
#pragma once

#include <memory>

#include "layers/dense/linear.h"
#include "layers/dense/output.h"
#include "models/decoder.h"
#include "models/options.h"

namespace softalign::models {

// A TargetEmbedding has the words that a decoder reads and writes. If it is tied (Press & Wolf 2017), the output
// layer's W is the transpose of the embedding, so l = E.
struct TargetEmbedding {
  layers::Embedding embedding;  // (V_y, E)
  Var W;                        // (l, V_y)  undefined if tied
  Var b;                        // (V_y)

  // Declares the output layer. The embedding exists already, because the source may share it.
  TargetEmbedding(layers::Embedding target, const ModelOptions& options, std::size_t l, const autograd::Params& p,
                  const layers::InitialiserConfig& init);

  Var operator()(const Ids& words) const { return embedding(words); }                    // (N) -> (N, E)
  Var operator()(const Ids& words, std::size_t B) const { return embedding(words, B); }  // (T*B) -> (T, B, E)
  Var logits(const Var& t) const;                // t W + b    (R, l) -> (R, V_y)
  TargetEmbedding only(const Ids& words) const;  // copies of their rows of E, columns of W, entries of b
  // Returns -log softmax(t W + b)[y], smoothed; 0 on padding            (T, B, l) -> (T*B)
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

// Embeddings has both sides. If they are tied with "all", the source embedding is also the target's, so both sides
// share one vocabulary.
struct Embeddings {
  layers::Embedding source;  // (V_x, E_x), as the encoder has it (models/encoder.h); none of pictures
  TargetEmbedding target;
};
Embeddings make_embeddings(const ModelOptions& options, std::size_t E, std::size_t l, const autograd::Params& p,
                           const layers::InitialiserConfig& init);

}  // namespace softalign::models
