#include "autograd/fused/internal/recurrence.h"
#include "autograd/leaf_gradients.h"

#include <algorithm>

namespace softalign::autograd {
namespace {

bool is_zero(const Array& h) {
  return std::all_of(h.data(), h.data() + h.size(), [](Real v) { return v == 0; });
}

}  // namespace

Factor recurrent_factor(const Var& U, const Matrix& b, const Steps& steps) {
  return steps.S > 1 && !by_integers() ? factor(b, steps.B) : factor_of(U, b, steps.B);
}

void add_recurrent_gradient(const Var& U, const Array& h, const Array& h_0, const Array& dgates, const Steps& steps,
                            Columns columns) {
  const std::size_t S = steps.S, B = steps.B;
  const bool forward = steps.direction == Direction::forward;
  const auto add = [&](const Array& x, std::size_t begin, std::size_t end) {
    add_product_grad(U, x, dgates.rows(begin * B, end * B), columns.begin, columns.end);
  };
  if (S > 1) forward ? add(h.rows(0, S - 1), 1, S) : add(h.rows(1, S), 0, S - 1);
  if (S == 1 || !is_zero(h_0)) add(h_0, steps.at(0), steps.at(0) + 1);
}

}  // namespace softalign::autograd
