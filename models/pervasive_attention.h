// Pervasive attention translates with a convolution over a grid that has one cell per pair of a source word and a
// target word. It is from Elbayad, Besacier & Verbeek 2018, "Pervasive attention: 2D convolutional neural networks for
// sequence-to-sequence prediction".
//
//   H_0[t, s] = [E_y[y_{t-1}]; E_x[x_s]]                     a grid of T x S cells
//   H_l       = [H_{l-1}; relu(conv(H_{l-1}))]               dense: a layer adds channels
//   p(y_t)    = softmax(W max_s H_L[t, s] + b)
//
// E_x and E_y are embedding tables, x_s is source word s, and y_t is target word t. [a; b] joins two vectors. H_l has
// the vectors of all cells after layer l = 1 .. L. W and b are learned, and p(y_t) has the probability of each target
// word.
//
// Each convolution has a window of k x k cells. The window is centred on the source word, and its last row is the
// target word itself. Therefore no cell depends on a later target word. The paper's deep models also use batch
// normalisation and bottleneck layers, which this model does not have.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/dense/embedding.h"
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
    std::size_t embedding = 16;                      // size of the embeddings of both sides
    std::size_t growth = 32, layers = 2;             // channels that a layer adds
    std::size_t kernel = 3;                          // k, odd
  };
  // Throws std::invalid_argument for an even kernel.
  PervasiveAttention(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;  // (T, B, V_y)
    // `weights` (T*B, S) shows from which source words the prediction comes. Row t*B + b has one number per source word
    // s: the share of the last layer's channels in which cell (t, s) has the largest value of all cells (t, ..). A
    // channel that is 0 in all these cells does not count. If all channels are 0, the row is 0.
    Array weights;
  };
  // Computes the logits of B sentence pairs. All sources have S words, and all targets have T words. Word s of source b
  // is entry s*B + b of `source`. Entry t*B + b of `previous` is the target word before word t.
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
