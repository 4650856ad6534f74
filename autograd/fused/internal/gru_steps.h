// The fused GRU: any number of steps as one node. A single cell is the case of one step.
#pragma once

#include "autograd/fused/gru.h"
#include "autograd/fused/internal/sequence.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct GRUWeights {
  Var U, b_u;
  GRUForm form;
  std::size_t hidden() const { return U.dim(0); }
};

// std::invalid_argument, named `op`, unless x (.., 3H), U (H, 3H) and b_u (H, or undefined as the form asks) fit.
void check_gru(const char* op, const Var& x, const GRUWeights& w);

// x (S*B, 3H) and the state before the first step (B, H)  ->  (S*B, H)
Var gru_steps(const char* op, const Var& x, const Var& before, const GRUWeights& w, const Steps& steps);

}  // namespace autograd::inline SOFTALIGN_PRECISION
