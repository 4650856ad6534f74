#include "autograd/fused/linear_attention.h"

#include <algorithm>

#include "autograd/fused/internal/head_views.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

constexpr std::size_t chunk = 32;  // steps

// One head of one sentence in q, k or v, or in a gradient of theirs.
struct Head {
  Real* data;
  std::size_t T, width, stride;
  Matrix steps(std::size_t begin, std::size_t end) const { return {data + begin * stride, end - begin, width, stride}; }
  Real* at(std::size_t step) const { return data + step * stride; }
};

// Steps begin .. end of a (n, n) product, what lies above the diagonal 0: a step does not see later ones.
void past_products(const Matrix& a, const Matrix& b, Array& products) {
  const std::size_t n = a.rows;
  gemm(a, t(b), products.data(), n, Into::overwrite);
  for (std::size_t i = 0; i < n; ++i)
    std::fill(products.data() + i * n + i + 1, products.data() + (i + 1) * n, Real(0));
}

Matrix square(const Array& products, std::size_t n) { return {products.data(), n, n, n}; }

struct Heads {
  std::size_t T, B, K, m, d;
  Head of(Real* x, std::size_t i, std::size_t width) const {  // x may be nobody's
    return {x ? x + i * width : nullptr, T, width, B * K * width};
  }
  Head of(const Array& x, std::size_t i, std::size_t width) const { return of(const_cast<Real*>(x.data()), i, width); }
  template <class Body>
  void each(const Body& body) const {
    parallel_for(0, B * K, T * B * K * m * d >= parallel_from, [&](std::size_t i) { body(i); });
  }
};

void forward(const Head& q, const Head& k, const Head& v, const Head& y) {
  Array S = zeros({q.width, v.width}), A({chunk, chunk});
  for (std::size_t c = 0; c < q.T; c += chunk) {
    const std::size_t e = std::min(c + chunk, q.T);
    past_products(q.steps(c, e), k.steps(c, e), A);
    gemm(q.steps(c, e), matrix(S), y.at(c), y.stride, Into::overwrite);
    gemm(square(A, e - c), v.steps(c, e), y.at(c), y.stride, Into::add);
    gemm(t(k.steps(c, e)), v.steps(c, e), S, Into::add);
  }
}

void backward_q(const Head& k, const Head& v, const Head& dy, const Head& dq) {
  Array S = zeros({k.width, v.width}), dA({chunk, chunk});
  for (std::size_t c = 0; c < k.T; c += chunk) {
    const std::size_t e = std::min(c + chunk, k.T);
    past_products(dy.steps(c, e), v.steps(c, e), dA);
    gemm(square(dA, e - c), k.steps(c, e), dq.at(c), dq.stride, Into::add);
    gemm(dy.steps(c, e), t(matrix(S)), dq.at(c), dq.stride, Into::add);
    gemm(t(k.steps(c, e)), v.steps(c, e), S, Into::add);
  }
}

// dk and dv from the last chunk to the first; either may be nobody's.
void backward_kv(const Head& q, const Head& k, const Head& v, const Head& dy, const Head* dk, const Head* dv) {
  Array G = zeros({q.width, v.width}), A({chunk, chunk});
  for (std::size_t e = q.T; e > 0;) {
    const std::size_t c = (e - 1) / chunk * chunk;
    if (dk) {
      past_products(dy.steps(c, e), v.steps(c, e), A);
      gemm(t(square(A, e - c)), q.steps(c, e), dk->at(c), dk->stride, Into::add);
      gemm(v.steps(c, e), t(matrix(G)), dk->at(c), dk->stride, Into::add);
    }
    if (dv) {
      past_products(q.steps(c, e), k.steps(c, e), A);
      gemm(t(square(A, e - c)), dy.steps(c, e), dv->at(c), dv->stride, Into::add);
      gemm(k.steps(c, e), matrix(G), dv->at(c), dv->stride, Into::add);
    }
    gemm(t(q.steps(c, e)), dy.steps(c, e), G, Into::add);
    e = c;
  }
}

}  // namespace

Var linear_attention(const Var& q, const Var& k, const Var& v, std::size_t K) {
  const std::size_t m = head_width("linear_attention", q.shape(), K), d = head_width("linear_attention", v.shape(), K);
  if (!(q.shape() == k.shape()) || v.dim(0) != q.dim(0) || v.dim(1) != q.dim(1))
    throw std::invalid_argument(fmt::format("linear_attention: queries {}, keys {} and values {} do not fit",
                                            to_string(q.shape()), to_string(k.shape()), to_string(v.shape())));
  const Heads heads{q.dim(0), q.dim(1), K, m, d};
  Array y(v.shape());
  heads.each([&](std::size_t i) {
    forward(heads.of(q.value(), i, m), heads.of(k.value(), i, m), heads.of(v.value(), i, d), heads.of(y, i, d));
  });
  return Var("linear_attention", y, {q, k, v}, [=](const Array& dy) {
    const auto gradient = [](const Var& x) { return x.needs_grad() ? x.zeroed_grad().data() : nullptr; };
    Real *const dq = gradient(q), *const dk = gradient(k), *const dv = gradient(v);
    heads.each([&](std::size_t i) {
      const Head qi = heads.of(q.value(), i, m), ki = heads.of(k.value(), i, m), vi = heads.of(v.value(), i, d);
      const Head dyi = heads.of(dy, i, d), dki = heads.of(dk, i, m), dvi = heads.of(dv, i, d);
      if (dq) backward_q(ki, vi, dyi, heads.of(dq, i, m));
      if (dk || dv) backward_kv(qi, ki, vi, dyi, dk ? &dki : nullptr, dv ? &dvi : nullptr);
    });
  });
}

}  // namespace softalign::autograd::fused
