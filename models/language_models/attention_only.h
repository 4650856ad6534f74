// AttentionOnly is a language model of embeddings and attention only, so you can read what its weights do. It is from
// Elhage et al. 2021, "A mathematical framework for transformer circuits":
//
//   x_0 = W_E[w]                                        words alone; their positions P are added to queries and keys
//   x_l = x_{l-1} + sum_k A^lk x_{l-1} W_V^lk W_O^lk    A = causal softmax((x + P) W_Q ((x + P) W_K)' / sqrt(d_k))
//   p   = softmax(x_L W_U)
//
// w are the words of the text, and p has the probabilities of the next words. A^lk are the attention weights of head k
// in layer l. W_E is the embedding table. W_Q, W_K and W_V compute the queries, keys (of size d_k) and values; W_O and
// W_U are the output matrices of a head and of the model. A prime (W') means the transpose.
//
// The model has no layer norm, bias or feed-forward network. Therefore every path from a word to a prediction is a
// product of matrices. The position vectors P are not part of x, as in Press et al. 2020, so each product relates words
// to words.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/embedding.h"
#include "layers/transformer/positions.h"

namespace softalign::models {

using autograd::Array;
using autograd::Ids;
using autograd::Var;

class AttentionOnly {
 public:
  struct Options {
    std::size_t words = 0;   // V
    std::size_t width = 64;  // d
    std::size_t layers = 2;  // L; with 0, only the last word counts
    std::size_t heads = 1;   // K
  };
  AttentionOnly(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                // (T, B, V)
    std::vector<Var> weights;  // attention weights of each layer, (T*B, K, T)
  };
  // Returns the logits and weights of B texts with the same number T of words. Word t of text b is entry t*B + b of
  // `words`.
  Output operator()(const Ids& words, std::size_t B) const;

  // A circuit is a table (V, V) with one row and one column per word of the vocabulary. Layers and heads count from 0.

  // Returns the bigram table W_E W_U, the product of the embedding table and the output matrix. It has the logits of
  // the next word after each word, if the model does not attend.
  Array direct_path() const;
  // Returns W_E W_V W_O W_U, where W_V and W_O are the value matrix and the output matrix of the head. Entry (v, w)
  // says how much the head adds to the logit of word w if it attends to word v.
  Array ov_circuit(std::size_t layer, std::size_t head) const;
  // Returns W_E W_Q W_K' W_E' / sqrt(d_k), where W_Q and W_K are the query matrix and the key matrix of the head. It
  // has the score of a query word (row) for a key word (column), without positions.
  Array qk_circuit(std::size_t layer, std::size_t head) const;
  // Returns W_E W_Q^1 (W_E W_V^0 W_O^0 W_K^1)' / sqrt(d_k), the scores of K-composition: a key of layer 1 is computed
  // from the output of layer 0. A number at a matrix is its layer, 0 or 1; the letters are those of ov_circuit and
  // qk_circuit. W_V^0 and W_O^0 belong to head `previous`. If this head attends to word w, its output adds to the keys
  // of layer 1. Entry (v, w) is what this output adds to the score of the query word v.
  Array k_composition(std::size_t head, std::size_t previous) const;

 private:
  struct Layer {
    Var W_Q, W_K, W_V, W_O;  // (d, d); head k is columns k d/K .. of W_Q, W_K, W_V and these rows of W_O
  };
  Var columns(const Var& W, std::size_t head) const;       // (d, d_k)
  Var written(std::size_t layer, std::size_t head) const;  // W_E W_V W_O (V, d)

  std::size_t K_, d_k_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  std::vector<Layer> layers_;
  Var W_U_;  // (d, V)
};

}  // namespace softalign::models
