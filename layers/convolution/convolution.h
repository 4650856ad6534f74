// This file has the convolution over the steps of a sequence. docs/notation.md explains the letters.
#pragma once

#include "layers/init.h"

namespace softalign::layers {

// Window says which of its neighbours a step reads. With a width of w, a centred window covers (w-1)/2 steps before and
// w/2 after the step. A causal window covers the step itself and the w-1 steps before it.
enum class Window { centred, causal };

// y_t = b + sum_u x_{t + u - before} W_u      u = 0 .. w-1, before = (w-1)/2, or w-1 in a causal window
// x (S, B, D), W (w*D, N), b (N)  ->  (S, B, N). W_u are the rows u D .. (u+1) D - 1 of W. x is 0 outside of its
// sentence. The code computes one product: the w neighbours of each step, next to each other in a row (S*B, w*D), times
// W. If lengths (B) are given, padding counts as 0. Throws std::invalid_argument if the number of W's rows is not a
// multiple of D.
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
