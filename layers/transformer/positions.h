// Attention ignores the order of the words. The functions in this file add the positions of the words to their vectors.
#pragma once

#include <string>
#include <utility>

#include "autograd/ops/rotary.h"
#include "layers/init.h"
#include "layers/kinds.h"

namespace softalign::layers {

// Returns the sinusoidal encoding P (n, d) of the positions i = first .. first + n - 1. Even columns are sines and odd
// columns are cosines. d must be even.
// P[i, 2j] = sin(i w_j)      P[i, 2j+1] = cos(i w_j)      w_j = 10000^(-2j/d)      Vaswani et al. 2017, section 3.5
Array sinusoids(std::size_t first, std::size_t n, std::size_t d);

// Rotary position embedding (RoPE) rotates each pair (2j, 2j+1) of a head's columns at position i by the angle i w_j,
// with w_j = 10000^(-2j/d). The product of a query q_i and a key k_j then depends only on the words and on the distance
// i - j.
// [x'_2j; x'_2j+1] = [cos -sin; sin cos] [x_2j; x_2j+1]                                     Su et al. 2021, eq. 34
struct RotaryEmbedding {
  Array cosines, sines;  // (n, d/2)  of the positions first .. first + n - 1
  RotaryEmbedding(std::size_t first, std::size_t n, std::size_t d);

  Var operator()(Var x) const { return rotary(std::move(x), cosines, sines); }  // (n, R, K*d) -> the same shape
};

// The class Positions adds the positions P to the words x of a stack of layers, in one of these ways:
// none          x stays as it is
// sinusoidal    x + P
// learned       x + P, where P is learned (Gehring et al. 2017)
// rotary        queries and keys of self-attention are rotated (RoPE)
// concatenated  [x; P] W, with the sinusoids P and a learned matrix W (2d, d)
// Because [x; P] W = x W_1 + P W_2, `concatenated` equals `sinusoidal` if each half W_1, W_2 of W is the identity. With
// `concatenated`, the model learns how many of the d numbers describe the word and how many describe the position.
class Positions {
 public:
  using Kind = PositionKind;

  // L is the number of positions of a learned table. `side` names the sequence in messages: source, target or text.
  // Throws std::invalid_argument if the kind needs sinusoids and the size d of a vector is odd.
  Positions(const Params& p, Kind kind, std::size_t L, std::size_t d, const Initialiser& init,
            std::string side = "text");

  // Returns x (T, R, d), T steps of R rows, with the positions added. The first step is at position `first`. Throws
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
