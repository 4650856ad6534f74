// AssociativeRecall reads n pairs of a key and a value. Then it predicts the value that belongs to a given key.
//
//   k_i = W_k E_k[key_i]     v_i = W_v [E_k[key_i]; E_v[value_i]]     q = W_q E_k[asked]
//   p = softmax(W y)
//
// E_k and E_v are embedding tables. k_i and v_i are the key and value vectors of pair i, and q is the query for the key
// `asked`. y is the vector that the memory returns for q. p has the probability of each value. Each W is learned.
#pragma once

#include <optional>

#include "layers/attention/memory.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/fast_weights/linear_attention.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class AssociativeRecall {
 public:
  // The enum Memory says how the vector y is computed from the query q, the keys k_i and the values v_i of the n pairs:
  //
  //   softmax   y = sum_i a_i v_i, a = softmax(q' k_i / sqrt(d_k))                       attention
  //   linear    y = sum_i a_i v_i, a_i = phi(q)' phi(k_i) / sum_j phi(q)' phi(k_j)       linear attention
  //   sum       y = W_n phi(q), W_i = W_{i-1} + v_i phi(k_i)'                            fast weights
  //   delta     y = W_n phi(q), W_i = W_{i-1} + beta_i (v_i - W_{i-1} phi(k_i)) phi(k_i)' fast weights
  //
  // d_k is the size of a key. phi is a feature map (FeatureMap); for fast weights, the features are divided by their
  // sum. The matrix W_i stores the pairs 1 .. i. `delta` replaces the value that W has for a key, and beta_i says to
  // which degree.
  enum class Memory { softmax, linear, sum, delta };

  struct Options {
    Memory memory = Memory::softmax;
    layers::FeatureMap map = layers::FeatureMap::elu_plus_one;  // feature map of all memories except softmax
    std::size_t keys = 0, values = 0;                           // numbers of different keys and values
    std::size_t width = 32, key_width = 16;                     // d, d_k
  };
  AssociativeRecall(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;   // (B, V)
    Var weights;  // (B, 1, n) attention weights of the pairs; undefined for fast weights
  };
  // Computes the logits of B sequences of n pairs. Key i of sequence b is entry i*B + b of `keys`, and likewise for
  // `values`. asked[b] is the key whose value the model predicts.
  Output operator()(const Ids& keys, const Ids& values, const Ids& asked) const;

 private:
  layers::AttentionOutput look(const Var& q, const Var& k, const Var& v) const;
  // Computes y with fast weights: n steps write the pairs, and a last step reads without writing. y is what the memory
  // returns for the query. `beta` is for the memory `delta` only, and says to which degree a step replaces the old
  // value of a key.
  Var written(const Var& q, const Var& k, const Var& v, const Var& beta) const;

  Options options_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding keys_, values_;
  Var W_q_, W_k_, W_v_;
  std::optional<layers::Linear> beta_;  // (2d, 1)
  layers::Linear output_;               // (d, V)
};

}  // namespace softalign::models
