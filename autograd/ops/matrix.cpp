#include "autograd/ops/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/kernels.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd {

MatrixView matrix(const Array& a) {
  const std::size_t last = a.rank() ? a.shape().back() : 1;
  std::size_t rows = 1;
  for (std::size_t i = 0; i + 1 < a.rank(); ++i) rows *= a.dim(i);
  return {a.data(), rows, last, last, false};
}

MatrixView t(MatrixView a) {
  a.transposed = !a.transposed;
  return a;
}

ProductSizes product_sizes(const MatrixView& a, const MatrixView& b) {
  const std::size_t m = a.transposed ? a.columns : a.rows, k = a.transposed ? a.rows : a.columns;
  const std::size_t k_b = b.transposed ? b.columns : b.rows, n = b.transposed ? b.rows : b.columns;
  if (k != k_b) throw std::invalid_argument(fmt::format("gemm: ({}, {}) and ({}, {}) do not chain", m, k, k_b, n));
  return {m, n, k};
}

namespace {

// c_ij (+)= sum_p a_ip b_pj
void plain_gemm(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into) {
  const auto [m, n, k] = product_sizes(a, b);
  const std::size_t a_row = a.transposed ? 1 : a.stride, a_column = a.transposed ? a.stride : 1;
  const std::size_t b_row = b.transposed ? 1 : b.stride, b_column = b.transposed ? b.stride : 1;
  for (std::size_t i = 0; i < m; ++i) {
    Real* const row = c + i * c_stride;
    if (into == Into::overwrite) std::fill_n(row, n, Real(0));
    for (std::size_t p = 0; p < k; ++p)
      for (std::size_t j = 0; j < n; ++j) row[j] += a.data[i * a_row + p * a_column] * b.data[p * b_row + j * b_column];
  }
}

void plain_gemm_by_weight(const MatrixView& a, const Var&, const MatrixView& b, Array& c, Into into) {
  plain_gemm(a, b, c.data(), matrix(c).stride, into);
}

void plain_add_weight_gradient(const Var& W, const Array& x, const Array& dy) {
  if (!W.needs_grad()) return;
  const auto [dW, fresh] = W.grad_slot();
  plain_gemm(t(matrix(x)), matrix(dy), dW.data(), matrix(dW).stride, fresh ? Into::overwrite : Into::add);
}

}  // namespace

Array repeated(const Array& row, const Shape& shape) {
  Array y(shape);
  const std::size_t width = row.size(), rows = width ? y.size() / width : 0;
  constexpr std::size_t worth_threads = std::size_t{1} << 18;
  parallel_for(0, rows, y.size() >= worth_threads,
               [&](std::size_t i) { std::copy_n(row.data(), width, y.data() + i * width); });
  return y;
}

const Products plain_products{plain_gemm, plain_gemm_by_weight, plain_add_weight_gradient};

const Products& products() {
  if constexpr (have_kernels) return kernel_products;
  else return plain_products;
}

}  // namespace softalign::autograd
