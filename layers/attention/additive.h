// The additive score.
#pragma once

#include "autograd/kernels.h"
#include "autograd/kernels/fused/scores.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// e_ij = v_a' tanh(q_i + k_j + w_c cov_ij)      from queries q (R, A) and keys k (S, B, A); without coverage cov (R, S)
// and w_c (A) are undefined, and that term is missing  ->  (R, S)
inline Var additive_scores(const Var& q, const Var& k, const Var& v_a, const Var& cov, const Var& w_c,
                           const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::additive_scores>(
      [&] { return autograd::fused::additive_scores(q, k, v_a, cov, w_c, sentence); },
      [&] {
        Var inside = reshape(q, {q.dim(0), 1, q.dim(1)}) + of_rows(k, sentence);  // (R, S, A)
        if (cov.defined()) inside = inside + reshape(cov, {cov.dim(0), cov.dim(1), 1}) * w_c;
        return sum(v_a * tanh(inside), {2});
      });
}

// e_ij = v_a' tanh(W_a s_{i-1} + U_a h_j)             Bahdanau et al. 2015, section 3.1 and appendix A.1.2
// The same function of s_i is concat, v_a' tanh(W_a [s_i; h_j]), as W_a [s; h] = W s + U h     Luong et al. 2015, eq. 8
// With coverage: ... + w_c cov_ij inside the tanh     Tu et al. 2016, eq. 8; See et al. 2017, eq. 11
struct AdditiveScore {
  Var W_a;  // (Q, A)  the decoder's state -> query
  Var U_a;  // (D, A)  a source state -> key
  Var v_a;  // (A)
  Var w_c;  // (A)     undefined without coverage

  AdditiveScore(const Params& p, std::size_t Q, std::size_t D, std::size_t A, bool coverage, const Scheme& init)
      : W_a(p.declare("W_a", {Q, A}, init.attention)),
        U_a(p.declare("U_a", {D, A}, init.attention)),
        v_a(p.declare("v_a", {A}, init.attention_v)),
        w_c(coverage ? p.declare("w_c", {A}, init.attention_v) : Var()) {}

  Var keys(const Var& states) const { return matmul(states, U_a); }  // (S, B, D) -> (S, B, A)
  Var operator()(const Var& s, const Memory& m, const Ids& sentence, const Var& coverage) const {
    return additive_scores(matmul(s, W_a), m.keys, v_a, coverage, w_c, sentence);
  }
};

}  // namespace softalign::layers
