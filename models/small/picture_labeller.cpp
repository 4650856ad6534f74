#include "models/small/picture_labeller.h"

#include "autograd/ops/elementwise.h"

namespace models {

namespace {

constexpr layers::Patch every_second{.size = 3, .stride = 2, .padding = 1}, neighbours{3, 1, 1};

}  // namespace

PictureLabeller::PictureLabeller(const Options& o, const autograd::Params& p)
    : conv_1_(p / "conv_1", every_second, 3, o.first, scheme_.input(1)),
      conv_2_(p / "conv_2", every_second, o.first, o.width, scheme_.input(1)),
      first_(p / "first", o.width, o.width, scheme_.input(1)),
      second_(p / "second", o.width, o.labels, scheme_.input(1)) {
  if (o.layer == Layer::convolution)
    layer_.emplace<layers::Convolution2d>(p / "layer", neighbours, o.width, o.width, scheme_.input(1));
  if (o.layer == Layer::attention)
    layer_.emplace<layers::NonLocal>(p / "layer", o.width, o.keys, scheme_, layers::ones());
}

Grid PictureLabeller::cells(const Grid& pixels) { return grid_of(grid_of(pixels, every_second), every_second); }

PictureLabeller::Output PictureLabeller::operator()(const Var& pixels, const Grid& grid) const {
  const Var seen = relu(conv_1_(pixels, grid));
  const Var x = relu(conv_2_(seen, grid_of(grid, every_second)));  // (N, B, C)
  layers::NonLocal::Output look{x, {}};
  if (const auto* convolution = std::get_if<layers::Convolution2d>(&layer_))
    look.y = x + relu((*convolution)(x, cells(grid)));
  if (const auto* attention = std::get_if<layers::NonLocal>(&layer_)) look = (*attention)(x);
  return {second_(relu(first_(look.y))), look.weights};
}

}  // namespace models
