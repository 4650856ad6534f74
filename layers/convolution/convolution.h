// This file has the convolution over the steps of a sequence. docs/notation.md explains the notation.
#pragma once

#include "layers/init.h"

namespace softalign::layers {

// The enum Window says which steps the convolution reads for step t. A `centred` window of w steps covers step t,
// (w-1)/2 steps before it, and w/2 steps after it. A `causal` window covers step t and the w-1 steps before it.
enum class Window { centred, causal };

// Computes a convolution over S steps of B sentences: x (S, B, D) has D input numbers per step. The result (S, B, N)
// has N output numbers. Each step reads the w steps in its window. W_u are the D rows of the weights W (w*D, N) for
// step u of the window, and b (N) is the bias.
// y_t = b + sum_u x_{t + u - before} W_u      u = 0 .. w-1, before = (w-1)/2, or w-1 in a causal window
// Before the first and after the last of the S steps, x counts as 0. If `lengths` (B) are given, padding counts as 0,
// too. The code copies the w neighbours of each step into one row of a matrix (S*B, w*D), and multiplies this matrix by
// W. Throws std::invalid_argument if the number of W's rows is not a multiple of D.
Var convolution(const Var& x, const Var& W, const Var& b, Window window, const std::vector<std::size_t>& lengths = {});

struct Convolution {
  Var W;  // (w*D, N)
  Var b;  // (N)
  Window window;
  Convolution(const Params& p, std::size_t w, std::size_t D, std::size_t N, Window shape, const Initialiser& init)
      : W(p.declare("W", {w * D, N}, init)), b(p.declare("b", {N}, zeros())), window(shape) {}
  Var operator()(const Var& x, const std::vector<std::size_t>& lengths = {}) const {
    return convolution(x, W, b, window, lengths);
  }
};

}  // namespace softalign::layers
