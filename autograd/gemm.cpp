#include "autograd/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <stdexcept>

#include "autograd/blas.h"

// xtensor-blas brings its BLAS calls as cxxblas; xlinalg itself always allocates its result and cannot accumulate.
#define HAVE_CBLAS
#include "xflens/cxxblas/cxxblas.cxx"

namespace autograd::inline SOFTALIGN_PRECISION {

Matrix matrix(const Array& a) {
  const std::size_t last = a.rank() ? a.shape().back() : 1;
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < a.rank(); ++i) rows *= a.dim(i);
  return {a.data(), rows, last, last, false};
}

Matrix columns(const Matrix& a, std::size_t begin, std::size_t end) {
  return {a.data + begin, a.rows, end - begin, a.stride, a.transposed};
}

Matrix rows(const Matrix& a, std::size_t begin, std::size_t end) {
  return {a.data + begin * a.stride, end - begin, a.columns, a.stride, a.transposed};
}

Matrix t(Matrix a) {
  a.transposed = !a.transposed;
  return a;
}

void gemm(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into) {
  const std::size_t m = a.transposed ? a.columns : a.rows, k = a.transposed ? a.rows : a.columns;
  const std::size_t k_b = b.transposed ? b.columns : b.rows, n = b.transposed ? b.rows : b.columns;
  if (k != k_b) throw std::invalid_argument(fmt::format("gemm: ({}, {}) and ({}, {}) do not chain", m, k, k_b, n));
  const Real beta = into == Into::add ? Real(1) : Real(0);
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (into == Into::overwrite)
      for (std::size_t i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, Real(0));
    return;
  }
  choose_blas_kernel();
  const auto form = [](bool transposed) { return transposed ? cxxblas::Trans : cxxblas::NoTrans; };
  const int a_stride = static_cast<int>(a.stride), b_stride = static_cast<int>(b.stride);
  if (m == 1 && (a.transposed ? a.stride == 1 : true)) {  // y = x B: GEMV reads B once, GEMM would copy it first
    cxxblas::gemv<int>(cxxblas::RowMajor, form(!b.transposed), static_cast<int>(b.rows), static_cast<int>(b.columns),
                       Real(1), b.data, b_stride, a.data, 1, beta, c, 1);
    return;
  }
  cxxblas::gemm<int>(cxxblas::RowMajor, form(a.transposed), form(b.transposed), static_cast<int>(m),
                     static_cast<int>(n), static_cast<int>(k), Real(1), a.data, a_stride, b.data, b_stride, beta, c,
                     static_cast<int>(c_stride));
}

void gemm(const Matrix& a, const Matrix& b, Array& c, Into into) {
  const Matrix out = matrix(c);
  const std::size_t m = a.transposed ? a.columns : a.rows, n = b.transposed ? b.rows : b.columns;
  if (out.rows != m || out.columns != n)
    throw std::invalid_argument(fmt::format("gemm: the product is ({}, {}), its place {}", m, n, to_string(c.shape())));
  gemm(a, b, c.data(), out.stride, into);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
