#include "layers/addressing/addressing.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused_addressing.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/scores.h"

namespace softalign::layers {

namespace {

using autograd::Keep;

// inverse_length returns 1 / |x| for each row of the last axis. This axis becomes 1.
Var inverse_length(const Var& x) {
  const Var squares = sum(square(x), {x.shape().rank() - 1}, Keep::yes);
  return exp(log(squares + autograd::least_square) * Real(-0.5));
}

// moved rotates x (R, N) by d positions: y_i = x_{i-d}, with indices modulo N.
Var moved(const Var& x, std::ptrdiff_t d) {
  const auto N = static_cast<std::ptrdiff_t>(x.dim(1));
  const auto first = static_cast<std::size_t>(((-d) % N + N) % N);
  return autograd::concat({slice(x, 1, first, x.dim(1)), slice(x, 1, 0, first)}, 1);
}

// w~_i = sum_j w_j s(i - j)
Var shifted(const Var& w, const Var& s) {
  const auto K = static_cast<std::ptrdiff_t>(s.dim(1) / 2);
  Var sum;
  for (std::size_t d = 0; d < s.dim(1); ++d) {
    const Var part = slice(s, 1, d, d + 1) * moved(w, static_cast<std::ptrdiff_t>(d) - K);
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

}  // namespace

Var cosines(const Var& k, const Var& M) {
  const Var of_places = transpose(reshape(inverse_length(M), {M.dim(0), M.dim(1)}));  // (R, N)
  return dot_scores(k * inverse_length(k), M, autograd::all_rows(M.dim(1))) * of_places;
}

Var address(const Address& a, const Var& before, const Var& M) {
  return autograd::dispatch<autograd::FusedOp::addressing>(
      [&] { return autograd::fused::address(a, before, M); },
      [&] {
        const Var content = softmax(a.beta * cosines(a.k, M));
        const Var gated = a.g * content + (Real(1) - a.g) * before;
        return softmax(a.gamma * log(shifted(gated, a.s) + autograd::least_weight));
      });
}

Var memory_read(const Var& M, const Var& w) { return weighted_sum(w, M, autograd::all_rows(M.dim(1))); }

Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a) {
  return autograd::dispatch<autograd::FusedOp::memory_write>(
      [&] { return autograd::fused::memory_write(M, w, e, a); },
      [&] {
        const Var each = reshape(transpose(w), {M.dim(0), M.dim(1), 1});  // (N, R, 1): w_i of each location
        return M * (Real(1) - each * e) + each * a;
      });
}

Address Head::operator()(const Var& h) const {
  const Var y = says(h);
  const auto one = [&](std::size_t i) { return slice(y, 1, W + i, W + i + 1); };
  return {.k = slice(y, 1, 0, W),
          .beta = softplus(one(0)),
          .g = sigmoid(one(1)),
          .s = softmax(slice(y, 1, W + 2, W + 5)),
          .gamma = softplus(one(5)) + Real(1)};
}

WritingHead::Written WritingHead::operator()(const Var& h, const Var& before, const Var& M) const {
  const Var w = address(head(h), before, M);
  return {w, memory_write(M, w, sigmoid(erase(h)), tanh(add(h)))};
}

}  // namespace softalign::layers
