// CausalStack: says at each word which one comes next, by layers of attention to what was read and nothing else (Elhage
// et al. 2021, "A mathematical framework for transformer circuits"); or, for comparison, by an LSTM.
//
//   x_0 = E[w] + P          x_l = x_{l-1} + attention(LN(x_{l-1})), causal, one head          p_t = softmax(W LN(x_L))
#pragma once

#include <string>
#include <vector>

#include "layers/recurrent/recurrent_stack.h"
#include "layers/transformer/positions.h"
#include "layers/transformer/residual.h"
#include "layers/transformer/self_attention.h"

namespace models {

using autograd::Ids;
using autograd::Var;

class CausalStack {
 public:
  struct Options {
    std::string kind = "softmax";  // of layers/transformer/self_attention.h, or lstm
    std::size_t layers = 2, words = 0, width = 64, places = 64;
  };
  CausalStack(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                // (n, B, V)
    std::vector<Var> weights;  // of each layer, (n*B, 1, n) row t*B + b; undefined where there are none
  };
  // Of B texts of the same length: words (n*B), row t*B + b.
  Output operator()(const Ids& words, std::size_t B) const;

 private:
  layers::Scheme scheme_ = layers::scheme("default");
  layers::Embedding words_;
  layers::Positions positions_;
  std::vector<layers::SelfAttention> attention_;
  std::vector<layers::RecurrentStack> recurrence_;  // one or none
  std::vector<layers::LayerNorm> norms_;            // before each layer, and the last
  layers::Linear output_;                           // (d, V)
};

}  // namespace models
