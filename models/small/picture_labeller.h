// PictureLabeller: a small convolutional network names something at each cell of a picture. What stands between its
// convolutions and its answer decides from where a cell can know.
//
//   x = relu(conv_2(relu(conv_1(picture))))      windows of 3 x 3 at every second place: a quarter of the cells each
//   y = x, x + relu(conv_3x3(x)), or self-attention over the cells (Zhang et al. 2019)
//   p_j = softmax(W_2 relu(W_1 y_j + b_1) + b_2)
#pragma once

#include <cstddef>
#include <variant>

#include "layers/convolution/convolution_2d.h"
#include "layers/dense/linear.h"
#include "layers/pictures/non_local.h"

namespace models {

using autograd::Grid;
using autograd::Var;

class PictureLabeller {
 public:
  enum class Layer { nothing, convolution, attention };

  struct Options {
    Layer layer = Layer::attention;
    std::size_t labels = 0;              // V
    std::size_t first = 24, width = 48;  // channels after each convolution; C is the second
    std::size_t keys = 16;               // d of attention
  };
  PictureLabeller(const Options& options, const autograd::Params& p);

  static Grid cells(const Grid& pixels);  // that are named

  struct Output {
    Var logits;   // (N, B, V), N cells
    Var weights;  // (N*B, 1, N) row j*B + b; undefined without attention
  };
  Output operator()(const Var& pixels, const Grid& grid) const;  // (H*W, B, 3)

 private:
  layers::Scheme scheme_ = layers::scheme("default");
  layers::Convolution2d conv_1_, conv_2_;
  std::variant<std::monostate, layers::Convolution2d, layers::NonLocal> layer_;
  layers::Linear first_, second_;
};

}  // namespace models
