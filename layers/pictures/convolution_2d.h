// This file has the convolution over the cells of pictures. docs/notation.md explains the notation.
#pragma once

#include "autograd/grid.h"
#include "layers/init.h"

namespace softalign::layers {

using autograd::Grid;
using autograd::Patch;

// Computes a convolution over B pictures of H*W cells: x (H*W, B, C) has C channels. The window has H' x W' positions
// (autograd/grid.h). The result (H'*W', B, N) has N channels, and one cell for each position. The window has size k,
// stride s and padding p, and its cells are u, v = 0 .. k-1. W_uv are the C rows of the weights W (k*k*C, N) that begin
// with row (u k + v) C, and b (N) is the bias. Outside the grid, x counts as 0.
// y_ij = b + sum_uv x_{i s + u - p, j s + v - p} W_uv
// Throws std::invalid_argument if the sizes do not fit.
Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch);

struct Convolution2d {
  Patch patch;
  Var W;  // (k*k*C, N)
  Var b;  // (N)
  Convolution2d(const Params& p, const Patch& shape, std::size_t C, std::size_t N, const Initialiser& init)
      : patch(shape), W(p.declare("W", {shape.size * shape.size * C, N}, init)), b(p.declare("b", {N}, zeros())) {}
  Var operator()(const Var& x, const Grid& grid) const { return convolution_2d(x, W, b, grid, patch); }
};

}  // namespace softalign::layers
