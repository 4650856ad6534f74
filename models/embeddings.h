// These layers are the two ends of a model: they map word ids to vectors, and vectors to logits of words.
#pragma once

#include <memory>

#include "layers/dense/embedding.h"
#include "layers/dense/output.h"
#include "models/decoder.h"
#include "models/options.h"

namespace softalign::models {

// TargetEmbedding has the embeddings of the words that a decoder reads, and the output layer for the words that it
// writes. If both are tied (Press & Wolf 2017), the matrix W of the output layer is the transpose of the embedding
// table. The input size l of the output layer is then E, the size of an embedding.
struct TargetEmbedding {
  layers::Embedding embedding;  // (V_y, E)
  Var W;                        // (l, V_y)  undefined if tied
  Var b;                        // (V_y)

  // Creates the output layer. The embedding table already exists, because the source may share it.
  TargetEmbedding(layers::Embedding target, const ModelOptions& options, std::size_t l, const autograd::Params& p,
                  const layers::InitialiserConfig& init);

  Var operator()(const Ids& words) const { return embedding(words); }                    // (N) -> (N, E)
  Var operator()(const Ids& words, std::size_t B) const { return embedding(words, B); }  // (T*B) -> (T, B, E)
  Var logits(const Var& t) const;                // t W + b    (R, l) -> (R, V_y)
  TargetEmbedding only(const Ids& words) const;  // copies the rows of E, columns of W and entries of b for these words
  // Returns the loss -log softmax(t W + b)[y] of each word y, with label smoothing. t (T, B, l) has the inputs of the
  // output layer for T steps of B sentences. The result has T*B losses; padding has loss 0.
  Var losses(const Var& t, const Ids& words, const Training* training) const;
};
// Implements Decoder::with_words, which copies a decoder for a small set of words. In the copy, the member `tables` has
// only the embeddings and the output weights of these words. The copy shares all other parameters with the original.
template <class D>
std::unique_ptr<Decoder> with_only(const D& decoder, TargetEmbedding D::*tables, const Ids& words) {
  auto fewer = std::make_unique<D>(decoder);
  (*fewer).*tables = (decoder.*tables).only(words);
  return fewer;
}
layers::Embedding target_embedding(const ModelOptions& options, std::size_t E, const autograd::Params& p,
                                   const layers::InitialiserConfig& init);

// The struct Embeddings has the tables of both languages. If all tables are tied (--tie all), source and target have
// the same embedding table and vocabulary.
struct Embeddings {
  layers::Embedding source;  // (V_x, E_x), for the encoder (models/encoder.h); no table for pictures
  TargetEmbedding target;
};
Embeddings make_embeddings(const ModelOptions& options, std::size_t E, std::size_t l, const autograd::Params& p,
                           const layers::InitialiserConfig& init);

}  // namespace softalign::models
