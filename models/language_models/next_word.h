// NextWord: a language model of one layer, an LSTM, or one that attends to all of its earlier states.
//
//   x_t = E[w_t]      h_t = layer(x)_t      p(w_{t+1}) = softmax(W h_t + b)
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

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
    std::vector<Var> weights;  // of each word but the first on those before it, (B, t-1); none of an LSTM
  };
  // B texts of as many words: (T*B), row t*B + b.
  Output operator()(const Ids& words, std::size_t B) const;

 private:
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  std::variant<layers::Cell, layers::Lstmn> layer_;
  layers::Linear output_;
};

}  // namespace softalign::models
