// The score by position alone.
#pragma once

#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// e_i = W_a s_i                                       Luong et al. 2015, eq. 9, location
// One score for each of the first L positions, whatever words stand there; later positions get no weight ("for long
// sentences, we ignore words near the end", section 3.1, footnote).
struct LocationScore {
  Var W_a;  // (Q, L)

  LocationScore(const Params& p, std::size_t Q, std::size_t L, const Scheme& init)
      : W_a(p.declare("W_a", {Q, L}, init.attention)) {}

  Var keys(const Var&) const { return {}; }
  Var operator()(const Var& s, const Memory& m, const Ids&, const Var&) const {
    const std::size_t L = W_a.dim(1);
    const Var e = matmul(s, W_a);
    if (m.steps <= L) return slice(e, 1, 0, m.steps);
    return autograd::concat({e, autograd::constant(autograd::zeros({s.dim(0), m.steps - L}))}, 1);
  }
};

}  // namespace softalign::layers
