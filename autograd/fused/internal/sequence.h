// Steps: the bookkeeping that every whole-sequence op shares: which step comes when, and which are padding.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/fused/direction.h"
#include "autograd/linalg/gemm.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct Steps {
  std::size_t S, B;
  std::vector<std::size_t> lengths;  // (B) step t of sentence b is a word if t < lengths[b]
  std::vector<std::size_t> order;    // 0 .. S-1, or S-1 .. 0 for the backward direction

  // std::invalid_argument if a length exceeds S.
  Steps(std::size_t S, const std::vector<std::size_t>& lengths, Direction direction);

  // m_t next + (1 - m_t) before, rows of padding keep what was before.
  Var keep_padding(std::size_t t, const Var& next, const Var& before) const;
  Var or_zeros(const Var& state, std::size_t H) const;

  // dU += sum_t h_before(t)' dgates_t, all steps as one GEMM: in memory the states before each step are the slab h
  // itself, one step apart, except before the first. h (S*B, H), first (B, H), dgates (S*B, K), dU (H, K) with row
  // stride.
  void add_recurrent_gradient(const Array& h, const Array& first, const Matrix& dgates, Real* dU,
                              std::size_t dU_stride) const;
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
