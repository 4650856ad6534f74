// The scores that are products: dot and general.
#pragma once

#include "autograd/kernels.h"
#include "autograd/kernels/fused/scores.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// e_ij = q_i' k_j                                     q (R, A), k (S, B, A)  ->  (R, S)
inline Var dot_scores(const Var& q, const Var& k, const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::dot_scores>(
      [&] { return autograd::fused::dot_scores(q, k, sentence); },
      [&] {
        const Var e = batched_matmul(reshape(q, {q.dim(0), 1, q.dim(1)}), transpose(of_rows(k, sentence), {0, 2, 1}));
        return reshape(e, {q.dim(0), k.dim(0)});
      });
}

// e_ij = s_i' h_j                                     Luong et al. 2015, eq. 8, dot
// scale: divided by sqrt(Q), as Vaswani et al. 2017, eq. 1, section 3.2.1
struct DotScore {
  Real scale = 1;
  Var keys(const Var& states) const { return scale == 1 ? states : states * scale; }  // (S, B, Q)
  Var operator()(const Var& s, const Memory& m, const Ids& sentence, const Var&) const {
    return dot_scores(s, m.keys, sentence);
  }
};

// e_ij = s_i' W_a h_j                                 Luong et al. 2015, eq. 8, general
struct GeneralScore {
  Var W_a;  // (Q, D)
  Real scale = 1;

  GeneralScore(const Params& p, std::size_t Q, std::size_t D, Real scaled, const Scheme& init)
      : W_a(p.declare("W_a", {Q, D}, init.attention)), scale(scaled) {}

  Var keys(const Var& states) const {  // W_a h_j (S, B, D) -> (S, B, Q)
    const Var Wh = matmul_transposed(states, W_a);
    return scale == 1 ? Wh : Wh * scale;
  }
  Var operator()(const Var& s, const Memory& m, const Ids& sentence, const Var&) const {
    return dot_scores(s, m.keys, sentence);
  }
};

}  // namespace softalign::layers
