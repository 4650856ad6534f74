#include "models/pictures/picture_encoder.h"

#include "autograd/ops/elementwise.h"

namespace models {

namespace {

constexpr layers::Patch every_second{.size = 3, .stride = 2, .padding = 1}, every{3, 1, 1};

}  // namespace

PictureEncoder::PictureEncoder(const Options& o, const autograd::Params& p)
    : options_(o),
      conv_1_(p / "conv_1", every_second, 3, o.first, scheme_.input(1)),
      conv_2_(p / "conv_2", every_second, o.first, o.second, scheme_.input(1)),
      conv_3_(p / "conv_3", every, o.second, o.D, scheme_.input(1)),
      P_(p.declare("P", {cells().cells(), 1, o.D}, layers::normal(0.3))) {}

Grid PictureEncoder::cells() const { return grid_of(grid_of(options_.pixels, every_second), every_second); }

Var PictureEncoder::operator()(const Var& pixels) const {
  const Var edges = relu(conv_1_(pixels, options_.pixels));
  const Var parts = relu(conv_2_(edges, grid_of(options_.pixels, every_second)));
  return relu(conv_3_(parts, cells())) + P_;
}

}  // namespace models
