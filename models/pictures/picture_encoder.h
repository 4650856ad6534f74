// PictureEncoder: a small convolutional network computes a grid of cells that a decoder can attend to. It replaces the
// network of Xu et al. 2015, section 3.1.1.
//
//   a = relu(conv_3(relu(conv_2(relu(conv_1(picture)))))) + P      windows of 3 x 3, the first two at every second
//   place
//
// P (N, D) is learned. Without P, all corners of a picture are the same to a window of a few pixels, but a caption says
// what is above what.
#pragma once

#include <cstddef>

#include "autograd/array.h"
#include "data/corpus/picture.h"
#include "layers/pictures/convolution_2d.h"
#include "models/encoder.h"

namespace softalign::models {

using autograd::Grid;

class PictureEncoder : public Encoder {
 public:
  struct Options {
    Grid pixels;                                  // H, W of every picture
    std::size_t first = 24, second = 48, D = 64;  // channels after each convolution
  };
  PictureEncoder(const Options& options, const autograd::Params& p, const layers::InitialiserConfig& init);

  std::size_t width() const override { return options_.D; }
  Var operator()(const Var& pixels) const;  // (H*W, B, 3), in [0, 1] -> a (N, B, D)
  // Encodes the pictures of a batch. std::invalid_argument: it has no pictures, or one of another size.
  EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights,
                           const Training* training = nullptr) const override;

 private:
  Options options_;
  layers::Convolution2d conv_1_, conv_2_, conv_3_;
  Var P_;  // (N, 1, D)
};

// The grid for a picture of this size: a quarter of its pixels in each direction.
Grid picture_cells(const Grid& pixels);

// Picture b of B as numbers: into values (H*W, B, 3), in [0, 1].
inline void write_pixels(const data::Picture& picture, std::size_t b, autograd::Array& values) {
  const std::size_t B = values.dim(1);
  for (std::size_t i = 0; i < values.dim(0); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      values[(i * B + b) * 3 + c] = static_cast<autograd::Real>(picture.rgb[i * 3 + c]) / 255;
}

}  // namespace softalign::models
