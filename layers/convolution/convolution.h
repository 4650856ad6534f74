// Convolution over the steps of a sequence.
#pragma once

#include "layers/init.h"

namespace softalign::layers {

// The neighbours that a step reads: (w-1)/2 before and w/2 after it, or itself and the w-1 before it.
enum class Window { centred, causal };

// y_t = b + sum_u x_{t + u - before} W_u      u = 0 .. w-1, before = (w-1)/2, causal w-1; x is 0 outside of its
// sentence x (S, B, D), W (w*D, N) with W_u its rows u D .. (u+1) D - 1, b (N)  ->  (S, B, N) As one product: the w
// neighbours of each step side by side, (S*B, w*D), times W. lengths (B): padding is read as 0; empty: none.
// std::invalid_argument: W's rows are not a multiple of D.
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
