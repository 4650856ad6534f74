#include "autograd/fused/steps.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/internal/product.h"
#include "autograd/storage/broadcast.h"

namespace softalign::autograd {

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
  Array gates = bias ? repeated(a.value(), {rows, G}) : a.value().clone().reshaped({rows, G});
  for (const auto& [x, W] : terms) {
    if (W.shape().rank() != 2 || W.dim(1) != G || matrix(x.value()).columns != W.dim(0) ||
        matrix(x.value()).rows != rows)
      throw std::invalid_argument(fmt::format("{}: x {} times W {} is not ({}, {}, {})", op, to_string(x.shape()),
                                              to_string(W.shape()), steps.S, steps.B, G));
    multiply(x, W, gates, Into::add);
  }
  return gates;
}

void GateInputs::add_gradients(const Array& dgates) const {
  a.add_grad(a.shape().rank() > 1 ? dgates.reshaped(a.shape()) : dgates);
  for (const auto& [x, W] : terms) add_product_gradients(x, W, dgates);
}

void GateInputs::append_to(std::vector<Var>& inputs) const {
  inputs.push_back(a);
  for (const auto& [x, W] : terms) inputs.insert(inputs.end(), {x, W});
}

}  // namespace softalign::autograd
