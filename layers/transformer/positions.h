// Attention does not know the order of the words. Positions add this order.
#pragma once

#include <string>
#include <utility>

#include "autograd/ops/rotary.h"
#include "layers/init.h"
#include "layers/kinds.h"

namespace softalign::layers {

// P[i, 2j] = sin(i w_j)      P[i, 2j+1] = cos(i w_j)      w_j = 10000^(-2j/d)      Vaswani et al. 2017, section 3.5
// Returns P (n, d) for the positions i = first .. first + n - 1. Sines and cosines alternate, as in the paper; d is
// even.
Array sinusoids(std::size_t first, std::size_t n, std::size_t d);

// Rotary position embedding (RoPE) rotates every pair of a head's columns by the angle i w_j, w_j = 10000^(-2j/d).
// Then q_i . k_j depends only on the words and on i - j.
// [x'_2j; x'_2j+1] = [cos -sin; sin cos] [x_2j; x_2j+1]                                     Su et al. 2021, eq. 34
struct RotaryEmbedding {
  Array cosines, sines;  // (n, d/2)  of the positions first .. first + n - 1
  RotaryEmbedding(std::size_t first, std::size_t n, std::size_t d);

  Var operator()(Var x) const { return rotary(std::move(x), cosines, sines); }  // (n, R, K*d) -> the same shape
};

// Positions adds the positions to the words of a stack of layers, in one of these ways:
//   none
//   sinusoidal    x + P
//   learned       x + P, and P is learned (Gehring et al. 2017)
//   rotary        queries and keys of self-attention are rotated (RoPE)
//   concatenated  [x; P] W with the sinusoids P and a matrix W (2d, d). Because [x; P] W = x W_1 + P W_2, this equals
//                 sinusoidal if both halves of W are the identity. W chooses how much of d each half gets.
class Positions {
 public:
  using Kind = PositionKind;

  // L is the number of positions of a learned table. Messages use `side`: source, target or text. Throws
  // std::invalid_argument for an odd d with sinusoids.
  Positions(const Params& p, Kind kind, std::size_t L, std::size_t d, const Initialiser& init,
            std::string side = "text");

  // Returns x (T, R, d) with positions, in the same shape. The first step is at position `first`. Throws
  // std::invalid_argument if a learned table has too few positions.
  Var operator()(Var x, std::size_t first = 0) const;
  bool learned() const { return kind_ == Kind::learned; }
  bool rotary() const { return kind_ == Kind::rotary; }

 private:
  Kind kind_;
  std::string side_;
  Var P_;  // (L, d)   learned only
  Var W_;  // (2d, d)  concatenated only
};

}  // namespace softalign::layers
