#include "layers/attention/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"

namespace softalign::layers {

Var gaussian_window(const Var& alpha, const Var& p, Real sigma) {
  if (!(sigma > 0))
    throw std::invalid_argument(fmt::format("gaussian_window: sigma is {}, it must be positive", sigma));
  return autograd::dispatch<autograd::FusedOp::gaussian_window>(
      [&] { return autograd::fused::gaussian_window(alpha, p, sigma); },
      [&] {
        Array j({alpha.dim(1)});
        std::iota(j.data(), j.data() + j.size(), Real(0));
        return alpha * exp(square(autograd::constant(j) - p) * (Real(-0.5) / (sigma * sigma)));
      });
}

AttentionWindow::AttentionWindow(const Params& p, Kind kind, std::size_t Q, Real D, std::size_t reach,
                                 const InitialiserConfig& init)
    : kind_(kind), D_(D), reach_(reach) {
  if (kind_ != Kind::local_p) return;
  W_p = p.declare("W_p", {Q, Q}, init.attention);
  v_p = p.declare("v_p", {Q, 1}, init.attention_v);
}

std::size_t AttentionWindow::words(const AttentionMemory& memory, Id sentence) const {
  return std::min(memory.lengths[static_cast<std::size_t>(sentence)], reach_);
}

Var AttentionWindow::centre(const Var& query, const AttentionMemory& memory, const Ids& sentence,
                            const Var& step) const {
  if (kind_ == Kind::global) return {};
  Array last({sentence.size(), 1});
  for (std::size_t r = 0; r < sentence.size(); ++r) last[r] = static_cast<Real>(words(memory, sentence[r]) - 1);
  // p_t = t
  if (kind_ == Kind::local_m) {
    for (std::size_t r = 0; r < sentence.size(); ++r) last[r] = std::min(last[r], step.value()[r]);
    return autograd::constant(last);
  }
  // p_t = (S - 1) sigmoid(v_p' tanh(W_p h_t))
  return autograd::constant(last) * sigmoid(matmul(tanh(matmul(query, W_p)), v_p));
}

// Padding follows the words of a sentence. The mask is 0 there, because the loop visits only words.
Array AttentionWindow::mask(const AttentionMemory& memory, const Ids& sentence, const Var& centre) const {
  const std::size_t S = memory.steps;
  Array mask = autograd::zeros({sentence.size(), S});
  for (std::size_t r = 0; r < sentence.size(); ++r) {
    for (std::size_t j = 0; j < words(memory, sentence[r]); ++j) {
      const bool near = kind_ == Kind::global || std::abs(static_cast<Real>(j) - centre.value()[r]) <= D_;
      mask[r * S + j] = near ? Real(1) : Real(0);
    }
  }
  return mask;
}

}  // namespace softalign::layers
