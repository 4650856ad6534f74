// This file has the matrix products of the ops. `plain_products` are simple loops over rows, and `kernel_products` are
// faster (autograd/kernels). A build with -DSOFTALIGN_KERNELS=OFF uses the simple loops.
#pragma once

#include <cstddef>

#include "autograd/var.h"

namespace softalign::autograd {

// A MatrixView is a view of a row-major matrix, whose element (i, j) is at data[i * stride + j], or of its transpose.
struct MatrixView {
  const Real* data = nullptr;
  std::size_t rows = 0, columns = 0, stride = 0;  // sizes of the stored matrix
  bool transposed = false;
  bool operator==(const MatrixView&) const = default;
};
MatrixView matrix(const Array& a);  // all axes but the last count as rows
MatrixView t(MatrixView a);         // A'

// ProductSizes has the sizes of a matrix product: (m, k) times (k, n) is (m, n). product_sizes throws
// std::invalid_argument if the columns of a do not match the rows of b.
struct ProductSizes {
  std::size_t m, n, k;
};
ProductSizes product_sizes(const MatrixView& a, const MatrixView& b);

enum class Into { overwrite, add };

struct Products {
  // gemm computes the product c = a b (m, n), or adds a b to c. In memory, the rows of c begin c_stride numbers apart.
  // If a has no columns (k = 0), the product is 0.
  void (*gemm)(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into);
  // gemm_by_weight computes c = a b, or adds a b to c, for a matrix b that is the value of the weight W or its
  // transpose. `kernel_products` keeps a copy of W in a faster layout for later products with W.
  void (*gemm_by_weight)(const MatrixView& a, const Var& W, const MatrixView& b, Array& c, Into into);
  // add_weight_gradient adds x' dy to the gradient of W, for x (.., K), dy (.., N) and W (K, N). If W needs no
  // gradient, the function does nothing. If W is a parameter, `kernel_products` stores x and dy, and later computes one
  // large product for all steps of a loop.
  void (*add_weight_gradient)(const Var& W, const Array& x, const Array& dy);
};
extern const Products plain_products;
extern const Products kernel_products;  // autograd/kernels/products.cpp
const Products& products();             // kernel_products, if the build has them

// Returns an array of the given shape (.., K) in which each row is a copy of `row` (K), for example of a layer's bias.
Array repeated(const Array& row, const Shape& shape);

}  // namespace softalign::autograd
