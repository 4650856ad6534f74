#include "models/pictures/picture_tagger.h"

#include "autograd/ops/elementwise.h"

namespace softalign::models {

namespace {

constexpr layers::Patch halving{.size = 3, .stride = 2, .padding = 1}, around{3, 1, 1};

}  // namespace

PictureTagger::PictureTagger(const Options& o, const autograd::Params& p)
    : conv_1_(p / "conv_1", halving, 3, o.first, initialiser_.input(1)),
      conv_2_(p / "conv_2", halving, o.first, o.width, initialiser_.input(1)),
      first_(p / "first", o.width, o.width, initialiser_.input(1)),
      second_(p / "second", o.width, o.labels, initialiser_.input(1)) {
  const autograd::Params layer = p / "layer";
  switch (o.layer) {
    case Layer::nothing:
      break;
    case Layer::convolution:
      layer_.emplace<layers::Convolution2d>(layer, around, o.width, o.width, initialiser_.input(1));
      break;
    case Layer::attention:
      layer_.emplace<layers::NonLocal>(layer, o.width, o.keys, initialiser_, layers::ones());
      break;
    case Layer::channel_gate:
      layer_.emplace<layers::SqueezeExcitation>(layer, o.width, o.inner, initialiser_);
      break;
    case Layer::cell_gate:
      layer_.emplace<layers::SpatialGate>(layer, initialiser_);
      break;
    case Layer::both_gates:
      layer_.emplace<layers::Cbam>(layer, o.width, o.inner, initialiser_);
      break;
  }
}

Grid PictureTagger::cells(const Grid& pixels) { return grid_of(grid_of(pixels, halving), halving); }

PictureTagger::Output PictureTagger::operator()(const Var& pixels, const Grid& grid) const {
  const Var seen = relu(conv_1_(pixels, grid));
  const Var x = relu(conv_2_(seen, grid_of(grid, halving)));  // (N, B, C)
  Output out;
  const Var y = looked(x, cells(grid), out);
  out.logits = second_(relu(first_(y)));
  return out;
}

Var PictureTagger::looked(const Var& x, const Grid& grid, Output& out) const {
  if (const auto* convolution = std::get_if<layers::Convolution2d>(&layer_)) return x + relu((*convolution)(x, grid));
  if (const auto* attention = std::get_if<layers::NonLocal>(&layer_)) {
    const auto [y, weights] = (*attention)(x);
    out.weights = weights;
    return y;
  }
  if (const auto* gate = std::get_if<layers::SqueezeExcitation>(&layer_)) {
    const auto [y, channels] = (*gate)(x);
    out.channels = channels;
    return y;
  }
  if (const auto* gate = std::get_if<layers::SpatialGate>(&layer_)) {
    const auto [y, of_cells] = (*gate)(x, grid);
    out.cells = of_cells;
    return y;
  }
  if (const auto* gates = std::get_if<layers::Cbam>(&layer_)) {
    const auto [y, channels, of_cells] = (*gates)(x, grid);
    out.channels = channels;
    out.cells = of_cells;
    return y;
  }
  return x;
}

}  // namespace softalign::models
