// In a tagger, one layer reads n words, and the model predicts a label for each word. Only this layer combines words,
// so the tagger shows what the layer can and cannot do.
//
//   x = E[w] + P                       words and their places
//   y = x + layer(LN(x))               recurrence, convolution, or attention by one head
//   p_t = softmax(W (y_t + FFN(LN(y_t))))
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "layers/attention/multi_head.h"
#include "layers/attention/positional.h"
#include "layers/convolution/convolution.h"
#include "layers/recurrent/stacks.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class Tagger {
 public:
  // recurrence   an LSTM of d/2 each way
  // convolution  of five neighbours, relu
  // attention    softmax(q_t' k_i / sqrt(d))
  // positional   softmax(8 P_ti): the factor lets P move as fast as its scores have to
  // factorized   the same with P = F_1 F_2' of rank 8
  enum class Layer { recurrence, convolution, attention, positional, factorized };

  struct Options {
    Layer layer = Layer::attention;
    layers::PositionKind positions = layers::PositionKind::sinusoidal;
    std::size_t words = 0, labels = 0;  // V_x, V_y
    std::size_t width = 64;             // d
    std::size_t max_positions = 64;     // L, the longest sequence if positions are learned
  };
  Tagger(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;   // (n, B, V_y)
    Var weights;  // (n*B, 1, n) row t*B + b; undefined without attention
  };
  // Reads B sequences of the same length: words (n*B), row t*B + b.
  Output operator()(const Ids& words, std::size_t B) const;

 private:
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  std::size_t d_;
  layers::Embedding words_;
  layers::Positions positions_;
  using AnyLayer = std::variant<layers::RecurrentStack, layers::Convolution, layers::MultiHead, layers::PositionTable,
                                layers::FactorizedPositionTable>;
  AnyLayer layer_;
  std::optional<layers::Linear> value_;  // (d, d) of positional attention
  layers::LayerNorm first_, second_;
  layers::FeedForward feed_forward_;
  layers::Linear output_;  // (d, V_y)
};

}  // namespace softalign::models
