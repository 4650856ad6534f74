// PictureEncoder is a small convolutional network. It turns a picture into a grid of vectors (cells) that a decoder can
// attend to. It replaces the large network of Xu et al. 2015, section 3.1.1.
//
//   a = relu(conv_3(relu(conv_2(relu(conv_1(picture)))))) + P
//
// Each convolution has windows of 3 x 3. The first two move by two pixels, so each of them halves height and width. The
// result a has N vectors of size D, one per cell. P (N, D) is a learned vector per cell. Without P, the network could
// not tell the corners of a picture apart, but a caption says which object is above which.
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
  // Encodes the pictures of a batch. Throws std::invalid_argument if the batch has no pictures, or a picture of another
  // size.
  EncoderOutput operator()(const Batch& batch, ReturnWeights return_weights,
                           const Training* training = nullptr) const override;

 private:
  Options options_;
  layers::Convolution2d conv_1_, conv_2_, conv_3_;
  Var P_;  // (N, 1, D)
};

// Returns the height and width of the grid of cells, which are a quarter of the picture's height and width.
Grid picture_cells(const Grid& pixels);

// Writes picture b of B pictures to `values` (H*W, B, 3), where H x W is the size in pixels. The red, green and blue
// values are scaled to [0, 1].
inline void write_pixels(const data::Picture& picture, std::size_t b, autograd::Array& values) {
  const std::size_t B = values.dim(1);
  for (std::size_t i = 0; i < values.dim(0); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      values[(i * B + b) * 3 + c] = static_cast<autograd::Real>(picture.rgb[i * 3 + c]) / 255;
}

}  // namespace softalign::models
