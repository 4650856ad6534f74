// PictureEncoder: a small convolutional network leaves a grid of cells that a decoder can look at, in the place of the
// network of Xu et al. 2015, section 3.1.1.
//
//   a = relu(conv_3(relu(conv_2(relu(conv_1(picture)))))) + P      windows of 3 x 3, the first two at every second
//   place
//
// P (N, D) is learnt: to a window of a few pixels one corner looks like another, and a caption says what is above what.
#pragma once

#include <cstddef>

#include "layers/convolution/convolution_2d.h"

namespace models {

using autograd::Grid;
using autograd::Var;

class PictureEncoder {
 public:
  struct Options {
    Grid pixels;                                  // H, W
    std::size_t first = 24, second = 48, D = 64;  // channels after each convolution
  };
  PictureEncoder(const Options& options, const autograd::Params& p);

  Grid cells() const;  // a quarter of the pixels, each way
  std::size_t width() const { return options_.D; }
  Var operator()(const Var& pixels) const;  // (H*W, B, 3) -> a (N, B, D)

 private:
  Options options_;
  layers::Scheme scheme_ = layers::scheme("default");
  layers::Convolution2d conv_1_, conv_2_, conv_3_;
  Var P_;  // (N, 1, D)
};

}  // namespace models
