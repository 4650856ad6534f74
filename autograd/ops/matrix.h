// This file has the matrix products of the ops. `plain_products` are simple loops over rows, and `kernel_products` are
// faster (autograd/kernels). The ops use the faster products, unless the build leaves out that folder
// (-DSOFTALIGN_KERNELS=OFF).
#pragma once

#include <cstddef>

#include "autograd/var.h"

namespace softalign::autograd {

// A Matrix is a view of numbers that are stored as a row-major matrix. Stored element (i, j) is at data[i * stride +
// j]. If `transposed` is true, the view is the transpose of the stored matrix.
struct Matrix {
  const Real* data = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;  // as stored
  bool transposed = false;
  bool operator==(const Matrix&) const = default;
};
Matrix matrix(const Array& a);  // every axis but the last as rows
Matrix t(Matrix a);             // A'

// ProductSizes has the sizes of a matrix product: (m, k) times (k, n) is (m, n). product_sizes throws
// std::invalid_argument if the columns of a do not match the rows of b.
struct ProductSizes {
  std::size_t m, n, k;
};
ProductSizes product_sizes(const Matrix& a, const Matrix& b);

enum class Into { overwrite, add };

struct Products {
  // gemm computes the product c = a b of size (m, n), or adds the product to c. The rows of c are c_stride numbers
  // apart. If k is 0, the product is zero.
  void (*gemm)(const Matrix& a, const Matrix& b, Real* c, std::size_t c_stride, Into into);
  // gemm_by_weight computes the same product for a matrix b that is the value of the weight W or its transpose. The
  // kernels keep a copy of W in a faster layout for the next product.
  void (*gemm_by_weight)(const Matrix& a, const Var& W, const Matrix& b, Array& c, Into into);
  // add_weight_gradient adds x' dy to the gradient of W, for x (.., K), dy (.., N) and W (K, N). If W is a parameter,
  // the kernels defer this product. The products of all steps of a loop then become one product. If W needs no
  // gradient, the function does nothing.
  void (*add_weight_gradient)(const Var& W, const Array& x, const Array& dy);
};
extern const Products plain_products;
extern const Products kernel_products;  // autograd/kernels/products.cpp
const Products& products();             // kernel_products, if the build has them

// Returns an array of the given shape (.., K) in which each row is a copy of `row` (K), for example of a layer's bias.
Array repeated(const Array& row, const Shape& shape);

}  // namespace softalign::autograd
