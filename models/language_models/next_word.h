// NextWord is a language model with one layer: an LSTM, or an LSTM that attends to all its earlier states (LSTMN).
//
//   x_t = E[w_t]      h_t = layer(x)_t      p(w_{t+1}) = softmax(W h_t + b)
//
// w_t is word t, x_t its embedding, and h_t the state of the layer. The table E, W and b are learned.
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/cell.h"
#include "layers/recurrent/lstmn.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class NextWord {
 public:
  enum class Layer { lstm, lstmn };

  struct Options {
    Layer layer = Layer::lstmn;
    std::size_t words = 0;                                         // V
    std::size_t embedding = 24, hidden = 48, attention_size = 32;  // E, H, A
  };
  NextWord(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                // (T, B, V)
    std::vector<Var> weights;  // for words t = 2 .. T: weights of the earlier words, (B, t-1); empty for an LSTM
  };
  // Returns the logits and weights of B texts with the same number T of words. Word t of text b is entry t*B + b of
  // `words`.
  Output operator()(const Ids& words, std::size_t B) const;

 private:
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  std::variant<layers::Cell, layers::Lstmn> layer_;
  layers::Linear output_;
};

}  // namespace softalign::models
