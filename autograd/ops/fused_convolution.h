// This file declares convolution as a fused op (autograd/ops/fused.h). Its definition, composed of simple ops, is in
// layers/pictures/convolution_2d.cpp.
#pragma once

#include "autograd/grid.h"
#include "autograd/kernels.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// Computes a convolution over the cells of pictures (layers/pictures/convolution_2d.h). x (H*W, B, C) has B pictures of
// H*W cells with C channels. W (k*k*C, N) and b (N) are the weights for a window of k x k cells and N output channels.
// The window has P positions, and the result is (P, B, N). The op computes one matrix product per position and reads
// the cells without copying them (Dukhan 2019, "The indirect convolution algorithm"). For few pictures, and in the
// backward pass, the op first copies the cells of several positions next to each other (im2col).
// y = col W + b        col (P*B, k k C) has the cells of each position in a row; the op never stores all of col
//   dW = col' dy       db = sum dy      dx: the op adds each row of dy W' to the cells of its position
// The op has 1.5 to 2.9 times the speed of the definition (12 x 12 cells, 3 x 3 windows, 32 channels to 64, batches of
// 32 and 80).
Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd::fused
