// The layers in this file compute gates for the channels or for the cells of a picture. A gate near 1 keeps a number,
// and a gate near 0 suppresses it. A batch of pictures is (N, B, C): N cells of B pictures with C channels.
#pragma once

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "layers/dense/linear.h"
#include "layers/pictures/convolution_2d.h"

namespace softalign::layers {

// Bottleneck is a network (MLP) with one hidden layer that is r times smaller than its input s (B, C). W and b are
// learned.
// MLP(s) = W_2 relu(W_1 s + b_1) + b_2
struct Bottleneck {
  Linear first;   // (C, C/r)
  Linear second;  // (C/r, C)
  Bottleneck(const Params& p, std::size_t C, std::size_t inner, const InitialiserConfig& init)
      : first(p / "first", C, inner, init.input(1)), second(p / "second", inner, C, init.input(1)) {}
  Var operator()(const Var& s) const { return second(relu(first(s))); }
};

// The struct Gated is the result of a layer that multiplies its input x by gates. y is the product, and `gate` has the
// gates: one number in (0, 1) for each channel or cell.
struct Gated {
  Var y;     // (N, B, C)
  Var gate;  // (B, C) for channels, (N, B, 1) for cells
};

// SqueezeExcitation computes a gate s_c for each channel c of a picture x. It averages the channel over all cells i to
// z_c, and a small network MLP turns the averages into gates. The result is y.
// z_c = mean_i x_ic                                                        Hu et al. 2018, eq. 2
// s = sigmoid(MLP(z))                                                      eq. 3
// y_ic = s_c x_ic                                                          eq. 4
struct SqueezeExcitation {
  Bottleneck mlp;
  SqueezeExcitation(const Params& p, std::size_t C, std::size_t inner, const InitialiserConfig& init)
      : mlp(p, C, inner, init) {}
  Gated operator()(const Var& x) const {
    const Var s = sigmoid(mlp(mean(x, {0})));
    return {x * s, s};
  }
};

// ChannelGate computes a gate M_c for each channel of x, from the channel's mean and maximum over all cells i. MLP is
// the network Bottleneck.
// M_c = sigmoid(MLP(mean_i x_i) + MLP(max_i x_i))                          Woo et al. 2018, eq. 2
struct ChannelGate {
  Bottleneck mlp;
  ChannelGate(const Params& p, std::size_t C, std::size_t inner, const InitialiserConfig& init)
      : mlp(p, C, inner, init) {}
  Gated operator()(const Var& x) const {
    const Var M_c = sigmoid(mlp(mean(x, {0})) + mlp(max(x, 0)));
    return {x * M_c, M_c};
  }
};

// SpatialGate computes a gate M_s for each cell of x, by a convolution over the mean and the maximum of the channels c.
// The convolution has windows of 7 x 7 cells.
// M_s = sigmoid(conv_7x7 [mean_c x; max_c x])                              Woo et al. 2018, eq. 3
struct SpatialGate {
  Convolution2d convolution;  // (7 7 2, 1)
  SpatialGate(const Params& p, const InitialiserConfig& init)
      : convolution(p, {.size = 7, .stride = 1, .padding = 3}, 2, 1, init.input(1)) {}
  Gated operator()(const Var& x, const Grid& grid) const {
    const Var seen = autograd::concat({mean(x, {2}, autograd::Keep::yes), max(x, 2, autograd::Keep::yes)}, 2);
    const Var M_s = sigmoid(convolution(seen, grid));
    return {x * M_s, M_s};
  }
};

// Cbam (convolutional block attention module) applies first a gate M_c to the channels of x, and then a gate M_s to the
// cells of x'. The result is y.
// x' = M_c(x) x      y = M_s(x') x'                                        Woo et al. 2018, eq. 1
struct Cbam {
  ChannelGate channel;
  SpatialGate spatial;
  Cbam(const Params& p, std::size_t C, std::size_t inner, const InitialiserConfig& init)
      : channel(p / "channel", C, inner, init), spatial(p / "spatial", init) {}
  struct Output {
    Var y;
    Var channels;  // (B, C)
    Var cells;     // (N, B, 1)
  };
  Output operator()(const Var& x, const Grid& grid) const {
    const Gated first = channel(x), second = spatial(first.y, grid);
    return {second.y, first.gate, second.gate};
  }
};

}  // namespace softalign::layers
