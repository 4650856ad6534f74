// The query-key-value score with several heads.
#pragma once

#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// Query, key and value, in K heads of d = A/K numbers each; Vaswani et al. 2017, eq. 1 and section 3.2.2:
// e_ij^k = (W_Q^k s_i)' (W_K^k h_j) / sqrt(d)         c_i = W_O [sum_j alpha_ij^k W_V^k h_j for every k]
// Time-major memory makes a head one more sentence: (S, B, K*d) is (S, B*K, d), where head k of sentence b is
// "sentence" b*K + k.
struct HeadsScore {
  std::size_t K;
  Var W_Q;  // (Q, A)
  Var W_K;  // (D, A)
  Var W_V;  // (D, A)
  Var W_O;  // (A, D)

  HeadsScore(const Params& p, std::size_t Q, std::size_t D, std::size_t A, std::size_t heads, const Scheme& init)
      : K(heads),
        W_Q(p.declare("W_Q", {Q, A}, init.attention)),
        W_K(p.declare("W_K", {D, A}, init.attention)),
        W_V(p.declare("W_V", {D, A}, init.input(1))),
        W_O(p.declare("W_O", {A, D}, init.input(1))) {}

  Var keys(const Var& states) const;                                                              // (S, B*K, d)
  Var values(const Var& states) const;                                                            // (S, B*K, d)
  Var operator()(const Var& s, const Memory& m, const Ids& sentence, const Var& coverage) const;  // (R*K, S)
  Ids rows(const Ids& sentence) const;  // (R*K) the "sentence" of each row's heads
};

}  // namespace softalign::layers
