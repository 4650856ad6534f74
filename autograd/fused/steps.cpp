#include "autograd/fused/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/internal/context.h"
#include "autograd/leaf_gradients.h"
#include "autograd/storage/broadcast.h"

namespace autograd::inline SOFTALIGN_PRECISION {

void Steps::check(const char* op) const {
  if (S == 0) throw std::invalid_argument(fmt::format("{}: no step; at least one expected", op));
  if (!lengths.empty() && lengths.size() != B)
    throw std::invalid_argument(fmt::format("{}: {} lengths for {} sentences", op, lengths.size(), B));
  for (const std::size_t length : lengths)
    if (length > S)
      throw std::invalid_argument(fmt::format("{}: a sentence of {} steps in a batch of {}", op, length, S));
}

Array GateInputs::sum(const char* op, const Steps& steps, std::size_t G) const {
  const std::size_t rows = steps.S * steps.B;
  const bool bias = a.shape() == Shape{G};
  if (!bias && (a.shape().rank() == 0 || a.shape().back() != G || a.value().size() != rows * G))
    throw std::invalid_argument(fmt::format("{}: gates {} for {} steps of {} sentences; ({}) or ({}, {}, {}) expected",
                                            op, to_string(a.shape()), steps.S, steps.B, G, steps.S, steps.B, G));
  Array gates({rows, G});
  const Real* from = a.value().data();
  constexpr std::size_t worth_threads = std::size_t{1} << 18;
#pragma omp parallel for schedule(static) if (rows * G >= worth_threads)
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(from + (bias ? 0 : row * G), G, gates.data() + row * G);
  for (const auto& [x, W] : terms) {
    if (W.shape().rank() != 2 || W.dim(1) != G || matrix(x.value()).columns != W.dim(0) ||
        matrix(x.value()).rows != rows)
      throw std::invalid_argument(fmt::format("{}: x {} times W {} is not ({}, {}, {})", op, to_string(x.shape()),
                                              to_string(W.shape()), steps.S, steps.B, G));
    gemm(matrix(x.value()), factor_of(W, matrix(W.value()), rows), gates, Into::add);
    expect_product_grad(W);
  }
  return gates;
}

void GateInputs::add_gradients(const Array& dgates) const {
  if (a.shape().rank() > 1) a.add_grad(dgates.reshaped(a.shape()));
  else if (a.needs_grad()) add_column_sums(dgates, a.zeroed_grad());
  for (const auto& [x, W] : terms) {
    if (x.needs_grad()) {
      const Var::GradSlot dx = x.grad_slot();
      gemm(matrix(dgates), factor_of(W, t(matrix(W.value())), dgates.dim(0)), dx.array,
           dx.fresh ? Into::overwrite : Into::add);
    }
    add_product_grad(W, x.value(), dgates);
  }
}

void GateInputs::append_to(std::vector<Var>& inputs) const {
  inputs.push_back(a);
  for (const auto& [x, W] : terms) inputs.insert(inputs.end(), {x, W});
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
