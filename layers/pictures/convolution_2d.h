// This file has the convolution over the cells of pictures. docs/notation.md explains the letters.
#pragma once

#include "autograd/grid.h"
#include "layers/init.h"

namespace softalign::layers {

using autograd::Grid;
using autograd::Patch;

// y_ij = b + sum_uv x_{i s + u - p, j s + v - p} W_uv      u, v = 0 .. k-1; x is 0 outside of the grid
// x (H*W, B, C), W (k*k*C, N), b (N)  ->  (H'*W', B, N). W_uv are the C rows of W from (u k + v) C on. H' and W' are
// the sizes of grid_of(grid, patch). Throws std::invalid_argument if the sizes do not fit.
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
