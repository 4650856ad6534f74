// PictureTagger is a small convolutional network that classifies each cell of a picture. One layer between the
// convolutions and the classifier decides which other cells can influence the class of a cell.
//
//   x = relu(conv_2(relu(conv_1(picture))))
//   p_j = softmax(W_2 relu(W_1 y_j + b_1) + b_2)
//
// Both convolutions have windows of 3 x 3 that move by two pixels, so x has a quarter of the picture's height and
// width. p_j has the probability of each class for cell j. Each W and b is learned. The vectors y are the output of the
// chosen layer:
//   - nothing: y = x
//   - convolution: y = x + relu(conv_3x3(x))
//   - attention: self-attention over the cells (Zhang et al. 2019)
//   - gates: x times a gate per channel (Hu et al. 2018), a gate per cell, or both (Woo et al. 2018)
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
    std::size_t first = 24, width = 48;  // channels after each convolution; the second number is C
    std::size_t keys = 16;               // d, the size of a key of attention
    std::size_t inner = 12;              // C/r, the size of the hidden layer of a channel gate
  };
  PictureTagger(const Options& options, const autograd::Params& p);

  static Grid cells(const Grid& pixels);  // the grid of the cells that are classified

  struct Output {
    Var logits;  // (N, B, V), N cells
    // Only attention computes `weights`, and only layers with gates compute `channels` or `cells`. A result that the
    // chosen layer does not compute is an undefined Var.
    Var weights;   // (N*B, 1, N) attention weights; row j*B + b is cell j of picture b
    Var channels;  // (B, C) gates
    Var cells;     // (N, B, 1) gates
  };
  Output operator()(const Var& pixels, const Grid& grid) const;  // (H*W, B, 3)

 private:
  // Applies the chosen layer to x (N, B, C): N cells of B pictures with C channels. It stores weights and gates in
  // `out`.
  Var looked(const Var& x, const Grid& grid, Output& out) const;

  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Convolution2d conv_1_, conv_2_;
  std::variant<std::monostate, layers::Convolution2d, layers::NonLocal, layers::SqueezeExcitation, layers::SpatialGate,
               layers::Cbam>
      layer_;
  layers::Linear first_, second_;
};

}  // namespace softalign::models
