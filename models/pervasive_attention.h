// Pervasive attention translates by one convolution over all pairs of a source word and a target word. Elbayad,
// Besacier & Verbeek 2018, "Pervasive attention: 2D convolutional neural networks for sequence-to-sequence prediction".
// docs/notation.md explains the letters.
//
//   H_0[t, s] = [E_y[y_{t-1}]; E_x[x_s]]                     a grid of T x S cells
//   H_l       = [H_{l-1}; relu(conv(H_{l-1}))]               dense: a layer adds channels
//   p(y_t)    = softmax(W max_s H_L[t, s] + b)
//
// The window of k x k cells is centred on the source word. Its last row is the target word itself, so that no cell sees
// a later target word. There is no batch norm and no bottleneck, which deep stacks need.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/dense/linear.h"
#include "layers/pictures/convolution_2d.h"

namespace softalign::models {

using autograd::Array;
using autograd::Ids;
using autograd::Var;

class PervasiveAttention {
 public:
  struct Options {
    std::size_t source_words = 0, target_words = 0;  // V_x, V_y
    std::size_t embedding = 16;                      // of each side
    std::size_t growth = 32, layers = 2;             // channels that a layer adds
    std::size_t kernel = 3;                          // k, odd
  };
  // Throws std::invalid_argument for an even kernel.
  PervasiveAttention(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;  // (T, B, V_y)
    // weights (T*B, S) has the share of the last layer's channels that have their maximum at each source word. Channels
    // that are 0 everywhere do not count. If no channel is left, the row is 0.
    Array weights;
  };
  // Reads B pairs of sentences. All sources have S words, and all targets have T: source (S*B), previous target words
  // (T*B), row t*B + b.
  Output operator()(const Ids& source, const Ids& previous, std::size_t B) const;

 private:
  Var causal(const layers::Convolution2d& convolution, const Var& H, std::size_t T, std::size_t S) const;

  std::size_t half_, growth_;  // (k - 1) / 2
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding source_, target_;
  std::vector<layers::Convolution2d> layers_;
  layers::Linear output_;
};

}  // namespace softalign::models
