// AssociativeRecall reads n pairs of a key and a value. Then it answers which value belongs to a given key.
//
//   k_i = W_k E_k[key_i]     v_i = W_v [E_k[key_i]; E_v[value_i]]     q = W_q E_k[asked]       a step for each pair
//   p = softmax(W y)         y: what the memory gives q back
#pragma once

#include <optional>

#include "layers/attention/memory.h"
#include "layers/dense/linear.h"
#include "layers/fast_weights/linear_attention.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class AssociativeRecall {
 public:
  // softmax   y = sum_i a_i v_i, a = softmax(q' k_i / sqrt(d_k))                       layers/attention
  // linear    y = sum_i a_i v_i, a_i = phi(q)' phi(k_i) / sum_j phi(q)' phi(k_j)       layers/fast_weights
  // sum       y = W_n phi(q), W_i = W_{i-1} + v_i phi(k_i)', features brought to sum 1  the same
  // delta     y = W_n phi(q), W_i = W_{i-1} + beta_i (v_i - W_{i-1} phi(k_i)) phi(k_i)' the same
  enum class Memory { softmax, linear, sum, delta };

  struct Options {
    Memory memory = Memory::softmax;
    layers::FeatureMap map = layers::FeatureMap::elu_plus_one;  // of all but softmax
    std::size_t keys = 0, values = 0;                           // how many there are
    std::size_t width = 32, key_width = 16;                     // d, d_k
  };
  AssociativeRecall(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;   // (B, V)
    Var weights;  // (B, 1, n) on the pairs; undefined for fast weights
  };
  // keys, values (n*B), row i*B + b; asked (B).
  Output operator()(const Ids& keys, const Ids& values, const Ids& asked) const;

 private:
  layers::AttentionOutput look(const Var& q, const Var& k, const Var& v) const;
  // Fast weights: written by n steps, read by one more that writes nothing. beta (n, B, 1) is delta's.
  Var written(const Var& q, const Var& k, const Var& v, const Var& beta) const;

  Options options_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding keys_, values_;
  Var W_q_, W_k_, W_v_;
  std::optional<layers::Linear> beta_;  // (2d, 1)
  layers::Linear output_;               // (d, V)
};

}  // namespace softalign::models
