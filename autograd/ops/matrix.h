// Matrix products of the ops. Here they are loops over rows. autograd/kernels has faster ones, which are used unless
// the build leaves that folder out (-DSOFTALIGN_KERNELS=OFF).
#pragma once

#include <cstddef>

#include "autograd/var.h"

namespace softalign::autograd {

// A view of a row-major matrix: element (i, j) is at data[i * stride + j]. It can be read as its transpose.
struct Matrix {
  const Real* data = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;  // as stored
  bool transposed = false;
  bool operator==(const Matrix&) const = default;
};
Matrix matrix(const Array& a);  // every axis but the last as rows
Matrix t(Matrix a);             // A'

// The sizes of a product (m, k) (k, n). std::invalid_argument if A and B do not chain.
struct ProductSizes {
  std::size_t m, n, k;
};
ProductSizes product_sizes(const Matrix& a, const Matrix& b);

enum class Into { overwrite, add };

struct Products {
  // c (m, n) = a b or c += a b, where rows of c are c_stride apart. Zero-size factors give zeros.
  void (*gemm)(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);
  // The same if b is W's value or its transpose. Kernels keep packed weights for the next product.
  void (*gemm_by_weight)(const Matrix& a, const Var& W, const Matrix& b, Array& c, Into into);
  // dW += x' dy, for x (.., K), dy (.., N) and W (K, N). Kernels defer the products of a leaf, so that the products of
  // all steps of a loop become one. It does nothing if W needs no gradient.
  void (*add_weight_gradient)(const Var& W, const Array& x, const Array& dy);
};
extern const Products plain_products;
extern const Products kernel_products;  // autograd/kernels/products.cpp
const Products& products();             // the kernels', if they are there

// Returns a new array of `shape` (.., K) in which each row is a copy of `row` (K), such as the bias of a layer.
Array repeated(const Array& row, const Shape& shape);

}  // namespace softalign::autograd
