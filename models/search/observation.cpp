#include "models/search/observation.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/var.h"

namespace softalign::models {

namespace {

// norm returns |x| of n numbers.
float norm(const Real* x, std::size_t n) {
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return static_cast<float>(std::sqrt(squares));
}

// context_norm returns |c_i| = |mass sum_j alpha_ij h_j| for weights alpha (S) and states h (S, D).
float context_norm(const Real* alpha, Real mass, const Array& h, std::size_t S) {
  const std::size_t D = h.size() / h.dim(0);
  std::vector<Real> c(D);
  for (std::size_t j = 0; j < S; ++j)
    for (std::size_t d = 0; d < D; ++d) c[d] += mass * alpha[j] * h[j * D + d];
  return norm(c.data(), D);
}

// add appends the attention of one step, or of all steps, to `seen`.
void add(Observation& seen, const layers::HookInput& input, std::size_t S) {
  const std::size_t R = input.scores.dim(0), K = input.scores.dim(1), steps = input.scores.dim(2);
  seen.scores.resize(std::max(seen.scores.size(), (input.layer + 1) * K));
  for (std::size_t i = 0; i < R * K; ++i) {
    const Real* row = input.scores.value().data() + i * steps;
    seen.scores[input.layer * K + i % K].emplace_back(row, row + S);
  }
  if (seen.scores.size() > 1) return;
  const Array& h = input.values.value();
  const std::size_t D = h.size() / h.dim(0);
  if (seen.norms.source.empty())
    for (std::size_t j = 0; j < S; ++j) seen.norms.source.push_back(norm(h.data() + j * D, D));
  for (std::size_t r = 0; r < R; ++r)
    seen.norms.context.push_back(context_norm(input.weights.value().data() + r * steps, input.mass.value()[r], h, S));
}

}  // namespace

Observation observe(const Decoder& decoder, const Memory& memory, const Targets& targets) {
  if (memory.size() != 1) throw std::invalid_argument("observe: one sentence at a time");
  const autograd::NoGrad no_grad;
  Observation seen;
  const auto watched = decoder.with_attention_hook([&](const layers::HookInput& input) {
    add(seen, input, memory.lengths.front());
    return input.weights;
  });
  watched->teacher_forced(memory, targets);
  return seen;
}

}  // namespace softalign::models
