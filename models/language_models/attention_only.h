// AttentionOnly: a language model of embeddings and attention only, whose weights you can read: Elhage et al. 2021,
// "A mathematical framework for transformer circuits".
//
//   x_0 = W_E[w]                                        words alone; their positions P are added to queries and keys
//   x_l = x_{l-1} + sum_k A^lk x_{l-1} W_V^lk W_O^lk    A = causal softmax((x + P) W_Q ((x + P) W_K)' / sqrt(d_k))
//   p   = softmax(x_L W_U)
//
// There is no layer norm, bias or feed-forward network, so that every path from a word to a prediction is a product of
// matrices. Positions do not enter x, as in Press et al. 2020: then the circuits below are over words.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/linear.h"
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
    std::size_t layers = 2;  // L, 0 too: then only the last word counts
    std::size_t heads = 1;   // K
  };
  AttentionOnly(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                // (T, B, V)
    std::vector<Var> weights;  // of each layer, (T*B, K, T)
  };
  // B texts of the same number of words: (T*B), row t*B + b.
  Output operator()(const Ids& words, std::size_t B) const;

  // Circuits: tables (V, V) over words, row = the word that attends or is attended to. Layers and heads from 0.

  // W_E W_U: the logits that follow a word when nothing is attended to, the bigram table.
  Array direct_path() const;
  // W_E W_V W_O W_U: what attending to a word adds to each logit.
  Array ov_circuit(std::size_t layer, std::size_t head) const;
  // W_E W_Q W_K' W_E' / sqrt(d_k): the score of a query word (row) for a key word (column), positions left out.
  Array qk_circuit(std::size_t layer, std::size_t head) const;
  // K-composition: as qk_circuit(1, head), but the key is what layer 0's head `previous` wrote: a word that stands
  // where that head attended. W_E W_Q^1 (W_E W_V^0 W_O^0 W_K^1)' / sqrt(d_k).
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
