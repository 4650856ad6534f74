// This file has the layers between the decoder state and the loss: the readout layer, and the output layer with its
// cross-entropy. docs/notation.md explains the notation.
#pragma once

#include <string>
#include <vector>

#include "autograd/ops/fused.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "layers/init.h"
#include "layers/kinds.h"
#include "layers/types.h"

namespace softalign::layers {

// The readout layer combines the decoder's state s_i, the context c_i and the embedding of the previous word y_{i-1}
// before the output layer. W has the three matrices U_o, V_o and C_o, one above the other. There are two kinds of this
// layer: maxout takes the larger number of each pair, and tanh computes the tanh of each number.
//
// t~ = U_o s_i + V_o E y_{i-1} + C_o c_i + b
//   maxout: t_j = max(t~_{2j-1}, t~_{2j})         Goodfellow et al. 2013; Bahdanau et al. 2015, appendix A.1.2
//   tanh:   t = tanh(t~)                          Luong et al. 2015, eq. 5, with the previous word
//
// s (.., H), c (.., D) and y (.., E) have H, D and E numbers per word. The result t (.., l) has l, the input size of
// the output layer.
struct Readout {
  using Kind = ReadoutKind;
  Kind kind;
  Var W;  // (H + D + E, 2l) for maxout, (H + D + E, l) for tanh
  Var b;  // (2l) or (l)

  Readout(const Params& p, Kind kind, std::size_t inputs, std::size_t l, const InitialiserConfig& init);
  Var operator()(const Var& s, const Var& c, const Var& y) const;
};

// Returns the loss of each of N words, in nats, which are units of the natural logarithm. The loss of word y_n is -log
// softmax(x W + b)[y_n], with label smoothing of strength eps (autograd/ops/loss.h). x (.., E) has E numbers per word,
// W is (E, V), and b is (V), for V words in the vocabulary. If a word is `padding`, its loss is 0. The logits of a
// complete batch would be very large, so autograd/kernels/fused/output_cross_entropy.cpp never stores all of them at
// once.
inline Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& words, Real eps = 0,
                                Id padding = 0) {
  return autograd::dispatch<autograd::FusedOp::output_cross_entropy>(
      [&] { return autograd::fused::output_cross_entropy(x, W, b, words, eps, padding); },
      [&] {
        return cross_entropy(affine(x, W, b), words, {eps, padding});
      });
}

}  // namespace softalign::layers
