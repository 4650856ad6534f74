#include "autograd/fused/attention.h"

#include <cmath>

#include "autograd/fused/internal/head_views.h"
#include "autograd/linalg/internal/rows.h"
#include "autograd/linalg/internal/softmax_rows.h"
#include "autograd/linalg/log_sum_exp.h"

namespace softalign::autograd::fused {

Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask) {
  const std::size_t d = head_width("attention", q.shape(), K);
  if (head_width("attention", k.shape(), K) != d)
    throw std::invalid_argument(fmt::format("attention: queries {} and keys {} must have rows of one size",
                                            to_string(q.shape()), to_string(k.shape())));
  const HeadViews views("attention", q.shape(), k.shape(), K, mask);
  const std::size_t T = views.T, S = views.S;
  const Real scale = 1 / std::sqrt(static_cast<Real>(d));
  Array A({T, views.R, K, S});
  Real* const weights = A.data();
  views.each(false, d, [&](std::size_t r, std::size_t head) {
    const auto [offset, stride] = views.of_queries(r, head, S);
    gemm(views.queries(q.value(), r, head, d), t(views.keys(k.value(), r, head, d)), weights + offset, stride,
         Into::overwrite);
    for (std::size_t t = 0; t < T; ++t) {
      Real* const row = weights + offset + t * stride;
      const std::size_t n = views.visible(r, t);
      std::fill(row + n, row + S, Real(0));
      if (n > 0) scale_row(row, n, 1 / exponentials(row, n, scale, scale * largest(row, n)));
    }
  });
  return Var("attention_weights", A, {q, k}, [=](const Array& dA, const Array& y) {
    Real* const dq = q.needs_grad() ? q.zeroed_grad().data() : nullptr;
    Real* const dk = k.needs_grad() ? k.zeroed_grad().data() : nullptr;
    views.each(dk != nullptr, d, [&](std::size_t r, std::size_t head) {
      const auto [offset, stride] = views.of_queries(r, head, S);
      Array dE({T, S});
      for (std::size_t t = 0; t < T; ++t) {
        const Real *const row = y.data() + offset + t * stride, *const drow = dA.data() + offset + t * stride;
        softmax_gradient(row, drow, dot(row, drow, S), scale, dE.data() + t * S, S);
      }
      const auto to_q = views.of_queries(r, head, d), to_k = views.of_keys(r, head, d);
      if (dq) gemm(matrix(dE), views.keys(k.value(), r, head, d), dq + to_q.offset, to_q.stride, Into::add);
      if (dk) gemm(t(matrix(dE)), views.queries(q.value(), r, head, d), dk + to_k.offset, to_k.stride, Into::add);
    });
  });
}

Var attention_context(const Var& A, const Var& v, const Mask& mask) {
  const std::size_t K = A.dim(2), S = A.dim(3), d = head_width("attention", v.shape(), K);
  const HeadViews views("attention", A.shape(), v.shape(), K, mask);
  if (views.S != S)
    throw std::invalid_argument(
        fmt::format("attention: weights {} of values {}", to_string(A.shape()), to_string(v.shape())));
  Array O({views.T, views.R, K * d});
  Real* const context = O.data();
  views.each(false, d, [&](std::size_t r, std::size_t head) {
    const auto [offset, stride] = views.of_queries(r, head, d);
    gemm(views.queries(A.value(), r, head, S), views.keys(v.value(), r, head, d), context + offset, stride,
         Into::overwrite);
  });
  return Var("attention_context", O, {A, v}, [=](const Array& dO) {
    Real* dA = nullptr;
    Into into = Into::add;
    if (A.needs_grad()) {
      const auto [array, fresh] = A.grad_slot();
      dA = array.data();
      if (fresh) into = Into::overwrite;
    }
    Real* const dv = v.needs_grad() ? v.zeroed_grad().data() : nullptr;
    views.each(dv != nullptr, d, [&](std::size_t r, std::size_t head) {
      const Matrix dO_k = views.queries(dO, r, head, d);
      const auto to_A = views.of_queries(r, head, S), to_v = views.of_keys(r, head, d);
      if (dA) gemm(dO_k, t(views.keys(v.value(), r, head, d)), dA + to_A.offset, to_A.stride, into);
      if (dv) gemm(t(views.queries(A.value(), r, head, S)), dO_k, dv + to_v.offset, to_v.stride, Into::add);
    });
  });
}

}  // namespace softalign::autograd::fused
