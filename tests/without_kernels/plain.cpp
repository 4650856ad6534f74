#include "tests/without_kernels/plain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

extern "C" {
void cblas_sgemm(int order, int a_form, int b_form, int m, int n, int k, float alpha, const float* a, int a_stride,
                 const float* b, int b_stride, float beta, float* c, int c_stride);
void cblas_dgemm(int order, int a_form, int b_form, int m, int n, int k, double alpha, const double* a, int a_stride,
                 const double* b, int b_stride, double beta, double* c, int c_stride);
}

namespace softalign::autograd {

Matrix matrix(const Array& a) {
  const std::size_t last = a.rank() ? a.shape().back() : 1;
  return {a.data(), last ? a.size() / last : 0, last, last, false};
}
Matrix t(Matrix a) {
  a.transposed = !a.transposed;
  return a;
}

void gemm(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into) {
  constexpr int row_major = 101, as_it_is = 111, transposed = 112;
  const std::size_t m = a.transposed ? a.columns : a.rows, k = a.transposed ? a.rows : a.columns;
  const std::size_t n = b.transposed ? b.rows : b.columns;
  if (into == Into::overwrite)
    for (std::size_t i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, Real(0));
  if (m == 0 || n == 0 || k == 0) return;
  const auto call = [&](auto* function) {
    function(row_major, a.transposed ? transposed : as_it_is, b.transposed ? transposed : as_it_is, static_cast<int>(m),
             static_cast<int>(n), static_cast<int>(k), Real(1), a.data, static_cast<int>(a.stride), b.data,
             static_cast<int>(b.stride), Real(1), c, static_cast<int>(c_stride));
  };
#ifdef SOFTALIGN_DOUBLE
  call(cblas_dgemm);
#else
  call(cblas_sgemm);
#endif
}
void gemm(const Matrix& a, const Matrix& b, Array& c, Into into) { gemm(a, b, c.data(), matrix(c).stride, into); }

void multiply(const Var& x, const Var& W, Array& y, Into into) { gemm(matrix(x.value()), matrix(W.value()), y, into); }
void add_product_to(const Var& x, const Matrix& a, const Matrix& b) {
  if (!x.needs_grad()) return;
  const auto [dx, fresh] = x.grad_slot();
  gemm(a, b, dx, fresh ? Into::overwrite : Into::add);
}
void add_product_grad(const Var& W, const Array& x, const Array& dy) { add_product_to(W, t(matrix(x)), matrix(dy)); }
void add_product_gradients(const Var& x, const Var& W, const Array& dy) {
  add_product_to(x, matrix(dy), t(matrix(W.value())));
  add_product_grad(W, x.value(), dy);
}
Array repeated(const Array& row, const Shape& shape) { return stretched(row, shape); }

Real largest(const Real* x, std::size_t n) {
  return n ? *std::max_element(x, x + n) : -std::numeric_limits<Real>::infinity();
}
Array log_sum_exp(const Array& x) {
  const std::size_t R = x.dim(0), V = x.dim(1);
  Array y({R});
  for (std::size_t r = 0; r < R; ++r) {
    const Real m = largest(x.data() + r * V, V);
    Real sum = 0;
    for (std::size_t v = 0; v < V; ++v) sum += std::exp(x[r * V + v] - m);
    y[r] = m + std::log(sum);
  }
  return y;
}

// The columns of a normal matrix, drawn one after another: each less what it has of those before, then of length 1.
Array random_orthogonal(std::size_t n, Random& random) {
  std::vector<double> a(n * n);
  for (double& v : a) v = random.normal();
  const auto dot = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * a[j * n + k];
    return sum;
  };
  Array q({n, n});
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double share = dot(i, j);
      for (std::size_t k = 0; k < n; ++k) a[j * n + k] -= share * a[i * n + k];
    }
    const double length = std::sqrt(dot(j, j));
    for (std::size_t k = 0; k < n; ++k) {
      a[j * n + k] /= length;
      q[k * n + j] = static_cast<Real>(a[j * n + k]);
    }
  }
  return q;
}

const MemoryLimit& memory_limit() {
  static const MemoryLimit none;
  return none;
}
std::string format_bytes(double bytes) { return fmt::format("{:.1f} MB", bytes / 1e6); }

}  // namespace softalign::autograd
