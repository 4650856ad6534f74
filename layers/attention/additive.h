// Additive attention, Bahdanau et al. 2015.
#pragma once

#include "autograd/fused/attention.h"
#include "layers/attention/glimpse.h"
#include "autograd/ops/matmul.h"
#include "layers/init.h"

namespace layers {

struct AdditiveAttention {
  Var W_a;  // (H, A)  the decoder's state -> query
  Var U_a;  // (D, A)  a source annotation -> key
  Var v_a;  // (A)

  AdditiveAttention(const Params& p, std::size_t H, std::size_t D, std::size_t A, const Scheme& init)
      : W_a(p.declare("W_a", {H, A}, init.attention)),
        U_a(p.declare("U_a", {D, A}, init.attention)),
        v_a(p.declare("v_a", {A}, init.attention_v)) {}

  // U_a h_j for every j: it does not depend on i, so it is computed once per sentence (appendix A.1.2).
  Var keys(const Var& states) const { return matmul(states, U_a); }  // (S*B, D) -> (S*B, A)

  // e_ij = v_a' tanh(W_a s_{i-1} + U_a h_j)     section 3.1 and appendix A.1.2         (R, S)
  // alpha_ij = exp(e_ij) / sum_k exp(e_ik)      eq. 6                                  (R, S)
  // c_i = sum_j alpha_ij h_j                    eq. 5                                  (R, D)
  Glimpse operator()(const Var& s, const Memory& memory, const Ids& sentence) const {
    const Var e = additive_scores(matmul(s, W_a), memory.keys, v_a, sentence, memory.sentences);
    return glimpse(e, memory, sentence);
  }

  AdditiveAttention for_time_loop() const {
    AdditiveAttention late = *this;
    late.W_a = autograd::deferred(W_a);
    return late;
  }
};

}  // namespace layers
