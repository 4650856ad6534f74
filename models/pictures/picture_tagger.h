// PictureTagger: a small convolutional network classifies each cell of a picture. The layer between its convolutions
// and its answer decides which other cells an answer can use.
//
//   x = relu(conv_2(relu(conv_1(picture))))      windows of 3 x 3 at every second place: a quarter of the cells each
//   y = x, x + relu(conv_3x3(x)), self-attention over the cells (Zhang et al. 2019), or x under gates: of channels
//       (Hu et al. 2018), of cells, or of both (Woo et al. 2018)
//   p_j = softmax(W_2 relu(W_1 y_j + b_1) + b_2)
#pragma once

#include <cstddef>
#include <variant>

#include "layers/dense/linear.h"
#include "layers/pictures/convolution_2d.h"
#include "layers/pictures/gates.h"
#include "layers/pictures/non_local.h"

namespace softalign::models {

using autograd::Grid;
using autograd::Var;

class PictureTagger {
 public:
  enum class Layer { nothing, convolution, attention, channel_gate, cell_gate, both_gates };

  struct Options {
    Layer layer = Layer::attention;
    std::size_t labels = 0;              // V
    std::size_t first = 24, width = 48;  // channels after each convolution; C is the second
    std::size_t keys = 16;               // d of attention
    std::size_t inner = 12;              // C/r of a gate of channels
  };
  PictureTagger(const Options& options, const autograd::Params& p);

  static Grid cells(const Grid& pixels);  // that are named

  struct Output {
    Var logits;  // (N, B, V), N cells
    // Results of the layer in use; the others are undefined.
    Var weights;   // (N*B, 1, N) row j*B + b, of attention
    Var channels;  // (B, C) gates
    Var cells;     // (N, B, 1) gates
  };
  Output operator()(const Var& pixels, const Grid& grid) const;  // (H*W, B, 3)

 private:
  // Applies the layer to x (N, B, C), on a grid of N cells, and stores weights and gates in `out`.
  Var looked(const Var& x, const Grid& grid, Output& out) const;

  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Convolution2d conv_1_, conv_2_;
  std::variant<std::monostate, layers::Convolution2d, layers::NonLocal, layers::SqueezeExcitation, layers::SpatialGate,
               layers::Cbam>
      layer_;
  layers::Linear first_, second_;
};

}  // namespace softalign::models
