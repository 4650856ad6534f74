#include "autograd/fused/internal/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"

namespace autograd::inline SOFTALIGN_PRECISION {

Steps::Steps(std::size_t steps, const std::vector<std::size_t>& sentence_lengths, Direction direction)
    : S(steps), B(sentence_lengths.size()), lengths(sentence_lengths), order(steps) {
  if (S == 0) throw std::invalid_argument("sequence: no step; at least one expected");
  for (std::size_t length : lengths)
    if (length > S)
      throw std::invalid_argument(fmt::format("sequence: a sentence of {} steps in a batch of {}", length, S));
  for (std::size_t i = 0; i < S; ++i) order[i] = direction == Direction::forward ? i : S - 1 - i;
}

Var Steps::keep_padding(std::size_t t, const Var& next, const Var& before) const {
  Array mask({B, 1});
  for (std::size_t b = 0; b < B; ++b) mask[b] = t < lengths[b] ? Real(1) : Real(0);
  const Var m = constant(mask);
  return m * next + (Real(1) - m) * before;
}

Var Steps::or_zeros(const Var& state, std::size_t H) const {
  const Shape shape{B, H};
  if (!state.defined()) return constant(zeros(shape));
  if (!(state.shape() == shape))
    throw std::invalid_argument(fmt::format("sequence: a state {} before the first step, {} expected",
                                            to_string(state.shape()), to_string(shape)));
  return state;
}

void Steps::add_recurrent_gradient(const Array& h, const Array& first, const Matrix& dgates, Real* dU,
                                   std::size_t dU_stride) const {
  const std::size_t begin = order.front() * B, shifted = (S - 1) * B;
  const bool forward = order.front() == 0;
  const Array inner_h = h.rows(forward ? 0 : B, forward ? shifted : S * B);
  const Matrix inner_d = rows(dgates, forward ? B : 0, forward ? S * B : shifted);
  gemm(t(matrix(inner_h)), inner_d, dU, dU_stride, Into::add);
  const bool zero = std::all_of(first.data(), first.data() + first.size(), [](Real v) { return v == 0; });
  if (!zero) gemm(t(matrix(first)), rows(dgates, begin, begin + B), dU, dU_stride, Into::add);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
