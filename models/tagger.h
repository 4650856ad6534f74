// A tagger reads n words and predicts a label for each word. Only one of its layers combines words, so the tagger shows
// what this layer can and cannot do.
//
//   x = E[w] + P                       words and their positions
//   y = x + layer(LN(x))               recurrence, convolution, or attention by one head
//   p_t = softmax(W (y_t + FFN(LN(y_t))))
//
// E[w] are the embeddings of the words w, and P are position vectors. LN is layer normalisation, FFN is a feed-forward
// network, and W is learned. p_t has the probability of each label for word t.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "layers/attention/multi_head.h"
#include "layers/attention/positional.h"
#include "layers/convolution/convolution.h"
#include "layers/dense/embedding.h"
#include "layers/recurrent/stacks.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class Tagger {
 public:
  // Layer is the layer that combines words. A word vector has d numbers.
  //   - recurrence: an LSTM of size d/2 in each direction
  //   - convolution: a convolution over five neighbours, with relu
  //   - attention: one head with the weights softmax(q_t' k_i / sqrt(d)), from query q_t and key k_i
  //   - positional: the weights softmax(8 P_ti), from a learned table P of positions; the factor 8 lets P change fast
  //   - factorized: the same, where P = F_1 F_2' has rank 8
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
    Var weights;  // (n*B, 1, n) attention weights, row t*B + b; undefined without attention
  };
  // Computes the logits of B sequences of n words. Word t of sequence b is entry t*B + b of `words`.
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
