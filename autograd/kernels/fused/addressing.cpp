#include "autograd/ops/fused_addressing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

#include "autograd/kernels/internal/rows.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

Real inverse_length(const Real* x, std::size_t W) { return 1 / std::sqrt(dot(x, x, W) + least_square); }

// y = softmax(scale x)
void softmax(Real scale, const Real* __restrict x, Real* __restrict y, std::size_t n) {
  Real most = std::numeric_limits<Real>::lowest(), total = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, y[i] = scale * x[i]);
  for_lanes(
      n, [&](std::size_t i, std::size_t lanes) { store(y + i, xsimd::exp(load(y + i, lanes) - Lanes(most)), lanes); });
  for (std::size_t i = 0; i < n; ++i) total += y[i];
  for (std::size_t i = 0; i < n; ++i) y[i] /= total;
}

// d(scale x) = y (dy - sum dy y)
void softmax_backward(const Real* __restrict dy, const Real* __restrict y, Real* __restrict dx, std::size_t n) {
  const Real mean = dot(dy, y, n);
  for (std::size_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - mean);
}

// Addressing has the inputs, and the values of the forward pass that the backward pass needs.
struct Addressing {
  Address a;
  Var before, M;
  std::size_t N, R, W, S;
  Array c{{R, N}}, of_place{{R, N}}, v{{R, N}}, u{{R, N}}, z{{R, N}}, log_z{{R, N}};  // of_place: 1 / |M_i|

  const Real* place(std::size_t i, std::size_t r) const { return M.value().data() + (i * R + r) * W; }
  // Shift d of S moves the weight of the memory location origin(d) to location 0.
  std::size_t origin(std::size_t d) const { return (S / 2 + S * N - d) % N; }
  template <class Body>
  void each_row(const Body& body) const {
    parallel_for(0, R, R * N * W >= parallel_from, body);
  }

  struct Row {  // row r of the inputs (R, W), (R, 1), (R, S) and (R, N)
    const Real *k, *beta, *g, *s, *gamma, *stood;
  };
  Row row(std::size_t r) const {
    return {a.k.value().data() + r * W, a.beta.value().data() + r,  a.g.value().data() + r,
            a.s.value().data() + r * S, a.gamma.value().data() + r, before.value().data() + r * N};
  }

  void forward(std::size_t r, Real* w);
  void backward(const Array& dw, const Array& w) const;
};

void Addressing::forward(std::size_t r, Real* w) {
  const Row in = row(r);
  Real *const c_r = c.data() + r * N, *const v_r = v.data() + r * N, *const u_r = u.data() + r * N,
              *const z_r = z.data() + r * N, *const log_r = log_z.data() + r * N;
  const Real of_key = inverse_length(in.k, W), g = *in.g;
  for (std::size_t i = 0; i < N; ++i) {
    of_place[r * N + i] = inverse_length(place(i, r), W);
    c_r[i] = dot(in.k, place(i, r), W) * of_key * of_place[r * N + i];
  }
  softmax(*in.beta, c_r, v_r, N);
  for (std::size_t i = 0; i < N; ++i) u_r[i] = g * v_r[i] + (1 - g) * in.stood[i];
  std::fill_n(z_r, N, least_weight);
  for (std::size_t d = 0; d < S; ++d) {
    const std::size_t from = origin(d);
    add_scaled(in.s[d], u_r + from, z_r, N - from);
    add_scaled(in.s[d], u_r, z_r + N - from, from);
  }
  for_lanes(N, [&](std::size_t i, std::size_t n) { store(log_r + i, xsimd::log(load(z_r + i, n)), n); });
  softmax(*in.gamma, log_r, w, N);
}

void Addressing::backward(const Array& dw, const Array& w) const {
  Array dk = zeros({R, W}), dbeta({R, 1}), dg({R, 1}), ds({R, S}), dgamma({R, 1}), dbefore({R, N});
  Array dz({R, N}), du = zeros({R, N}), dv({R, N}), dc({R, N});
  Real* const dM = M.needs_grad() ? M.zeroed_grad().data() : nullptr;
  each_row([&](std::size_t r) {
    const Row in = row(r);
    const std::size_t first = r * N;
    Real *const dz_r = dz.data() + first, *const du_r = du.data() + first, *const dc_r = dc.data() + first;
    const Real *const u_r = u.data() + first, *const c_r = c.data() + first;
    softmax_backward(dw.data() + first, w.data() + first, dz_r, N);
    dgamma[r] = dot(dz_r, log_z.data() + first, N);
    for (std::size_t i = 0; i < N; ++i) dz_r[i] *= *in.gamma / z[first + i];
    for (std::size_t d = 0; d < S; ++d) {
      const std::size_t from = origin(d);
      ds[r * S + d] = dot(dz_r, u_r + from, N - from) + dot(dz_r + N - from, u_r, from);
      add_scaled(in.s[d], dz_r, du_r + from, N - from);
      add_scaled(in.s[d], dz_r + N - from, du_r, from);
    }
    dg[r] = 0;
    for (std::size_t i = 0; i < N; ++i) {
      dg[r] += du_r[i] * (v[first + i] - in.stood[i]);
      dbefore[first + i] = (1 - *in.g) * du_r[i];
      dv[first + i] = *in.g * du_r[i];
    }
    softmax_backward(dv.data() + first, v.data() + first, dc_r, N);
    dbeta[r] = dot(dc_r, c_r, N);
    for (std::size_t i = 0; i < N; ++i) dc_r[i] *= *in.beta;
    const Real of_key = inverse_length(in.k, W);
    Real* const dk_r = dk.data() + r * W;
    add_scaled(-of_key * of_key * dot(dc_r, c_r, N), in.k, dk_r, W);
    for (std::size_t i = 0; i < N; ++i) {
      const Real mine = of_place[first + i], both = dc_r[i] * of_key * mine;
      add_scaled(both, place(i, r), dk_r, W);
      if (dM == nullptr) continue;
      Real* const dM_i = dM + (i * R + r) * W;
      add_scaled(both, in.k, dM_i, W);
      add_scaled(-dc_r[i] * c_r[i] * mine * mine, place(i, r), dM_i, W);
    }
  });
  a.k.add_grad(dk), a.beta.add_grad(dbeta), a.g.add_grad(dg), a.s.add_grad(ds), a.gamma.add_grad(dgamma);
  before.add_grad(dbefore);
}

// write computes y = m + w (a - m e) for one memory location. It calls fma and fnma explicitly, because a compiler may
// fuse products and sums in one loop but not in another. The results of the two loops would then differ.
void write(const Real* __restrict m, Real w, const Real* __restrict e, const Real* __restrict a, Real* __restrict y,
           std::size_t W) {
  for_lanes(W, [&](std::size_t c, std::size_t n) {
    const Lanes before = load(m + c, n), change = xsimd::fnma(before, load(e + c, n), load(a + c, n));
    store(y + c, xsimd::fma(Lanes(w), change, before), n);
  });
}

// write_backward adds to dm, de and da, and returns dw. dm may be null.
Real write_backward(const Real* __restrict dy, const Real* __restrict m, Real w, const Real* __restrict e,
                    const Real* __restrict a, Real* __restrict dm, Real* __restrict de, Real* __restrict da,
                    std::size_t W) {
  Lanes dw(Real(0));
  for_lanes(W, [&](std::size_t c, std::size_t n) {
    const Lanes d = load(dy + c, n), before = load(m + c, n), erased = load(e + c, n), part = d * Lanes(w);
    dw = xsimd::fma(d, xsimd::fnma(before, erased, load(a + c, n)), dw);
    store(de + c, xsimd::fnma(part, before, load(de + c, n)), n);
    add_store(da + c, part, n);
    if (dm) store(dm + c, xsimd::fma(d, xsimd::fnma(Lanes(w), erased, Lanes(Real(1))), load(dm + c, n)), n);
  });
  return sum(dw);
}

// check throws std::invalid_argument unless the shapes fit: M (N, R, W), w (R, N) and row (R, W).
void check(const char* op, const Var& M, const Var& w, const Var& row) {
  if (M.shape().rank() == 3 && w.shape() == Shape{M.dim(1), M.dim(0)} && row.shape() == Shape{M.dim(1), M.dim(2)})
    return;
  throw std::invalid_argument(
      fmt::format("{}: memory {}, weights {} and a row {} do not fit; (N, R, W), (R, N) and (R, W) expected", op,
                  to_string(M.shape()), to_string(w.shape()), to_string(row.shape())));
}

}  // namespace

Var address(const Address& a, const Var& before, const Var& M) {
  check("address", M, before, a.k);
  const std::size_t N = M.dim(0), R = M.dim(1), S = a.s.shape().rank() == 2 ? a.s.dim(1) : 0;
  for (const Var* one : {&a.beta, &a.g, &a.gamma})
    if (!(one->shape() == Shape{R, 1}))
      throw std::invalid_argument(
          fmt::format("address: beta, g or gamma {}; ({}, 1) expected", to_string(one->shape()), R));
  if (N == 0 || S % 2 == 0 || !(a.s.shape() == Shape{R, S}))
    throw std::invalid_argument(
        fmt::format("address: {} places, shifts {}; ({}, an odd number) expected", N, to_string(a.s.shape()), R));
  const auto run = std::make_shared<Addressing>(Addressing{a, before, M, N, R, M.dim(2), S});
  Array w({R, N});
  Real* const out = w.data();
  run->each_row([&](std::size_t r) { run->forward(r, out + r * N); });
  return Var("address", w, {a.k, a.beta, a.g, a.s, a.gamma, before, M},
             [run](const Array& dw, const Array& value) { run->backward(dw, value); });
}

Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a) {
  check("memory_write", M, w, e), check("memory_write", M, w, a);
  const std::size_t N = M.dim(0), R = M.dim(1), W = M.dim(2);
  Array y(M.shape());
  const auto each_row = [=](const auto& body) { parallel_for(0, R, R * N * W >= parallel_from, body); };
  each_row([&, out = y.data()](std::size_t r) {
    const Real *const erased = e.value().data() + r * W, *const added = a.value().data() + r * W;
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t at = (i * R + r) * W;
      write(M.value().data() + at, w.value()[r * N + i], erased, added, out + at, W);
    }
  });
  return Var("memory_write", y, {M, w, e, a}, [=](const Array& dy) {
    Array dw({R, N}), de = zeros({R, W}), da = zeros({R, W});
    Real* const dM = M.needs_grad() ? M.zeroed_grad().data() : nullptr;
    each_row([&, weights = dw.data(), erasing = de.data(), adding = da.data()](std::size_t r) {
      const Real *const erased = e.value().data() + r * W, *const added = a.value().data() + r * W;
      for (std::size_t i = 0; i < N; ++i) {
        const std::size_t at = (i * R + r) * W;
        weights[r * N + i] = write_backward(dy.data() + at, M.value().data() + at, w.value()[r * N + i], erased, added,
                                            dM ? dM + at : nullptr, erasing + r * W, adding + r * W, W);
      }
    });
    w.add_grad(dw), e.add_grad(de), a.add_grad(da);
  });
}

}  // namespace softalign::autograd::fused
