// This file has the matrix products that the ops use. Here they are loops over rows. autograd/kernels has faster
// products. The ops use the faster ones unless the build leaves out that folder (-DSOFTALIGN_KERNELS=OFF).
#pragma once

#include <cstddef>

#include "autograd/var.h"

namespace softalign::autograd {

// A Matrix is a view of a row-major matrix. Element (i, j) is at data[i * stride + j]. A view may also be the
// transpose.
struct Matrix {
  const Real* data = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;  // as stored
  bool transposed = false;
  bool operator==(const Matrix&) const = default;
};
Matrix matrix(const Array& a);  // every axis but the last as rows
Matrix t(Matrix a);             // A'

// ProductSizes has the sizes of a product (m, k) (k, n). product_sizes throws std::invalid_argument if A and B do not
// fit.
struct ProductSizes {
  std::size_t m, n, k;
};
ProductSizes product_sizes(const Matrix& a, const Matrix& b);

enum class Into { overwrite, add };

struct Products {
  // Computes c (m, n) = a b, or c += a b. The rows of c are c_stride apart. Factors of size 0 give zeros.
  void (*gemm)(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);
  // Computes the same product if b is W's value or its transpose. Kernels keep packed weights for the next product.
  void (*gemm_by_weight)(const Matrix& a, const Var& W, const Matrix& b, Array& c, Into into);
  // Adds x' dy to the gradient of W, for x (.., K), dy (.., N) and W (K, N). Kernels defer the products of a leaf, so
  // that the products of all steps of a loop become one. It does nothing if W needs no gradient.
  void (*add_weight_gradient)(const Var& W, const Array& x, const Array& dy);
};
extern const Products plain_products;
extern const Products kernel_products;  // autograd/kernels/products.cpp
const Products& products();             // the kernels', if they are there

// Returns a new array of `shape` (.., K) in which each row is a copy of `row` (K), such as the bias of a layer.
Array repeated(const Array& row, const Shape& shape);

}  // namespace softalign::autograd
