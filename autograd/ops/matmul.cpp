#include "autograd/ops/matmul.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/array.h"
#include "autograd/ops/matrix.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

// product_shape returns the shape of x with another last axis: (.., K) -> (.., N).
Shape product_shape(const char* op, const Var& x, const Var& W, std::size_t k_axis) {
  if (x.shape().rank() == 0 || W.shape().rank() != 2 || x.shape().back() != W.dim(k_axis))
    throw std::invalid_argument(
        fmt::format("{}: x {} and W {} do not chain", op, to_string(x.shape()), to_string(W.shape())));
  Shape shape = x.shape();
  shape[shape.rank() - 1] = W.dim(1 - k_axis);
  return shape;
}

// multiply computes y (+)= x b. b is the value of W or its transpose.
void multiply(const Var& x, const Var& W, const MatrixView& b, Array& y, Into into) {
  products().gemm_by_weight(matrix(x.value()), W, b, y, into);
}

// dx += dy b
void add_input_gradient(const Var& x, const Array& dy, const Var& W, const MatrixView& b) {
  if (!x.needs_grad()) return;
  const auto [dx, fresh] = x.grad_slot();
  products().gemm_by_weight(matrix(dy), W, b, dx, fresh ? Into::overwrite : Into::add);
}

}  // namespace

// y = x W              dx = dy W'      dW = x' dy
Var matmul(const Var& x, const Var& W) {
  Array y(product_shape("matmul", x, W, 0));
  multiply(x, W, matrix(W.value()), y, Into::overwrite);
  return Var("matmul", y, {x, W}, [x, W](const Array& dy) {
    add_input_gradient(x, dy, W, t(matrix(W.value())));
    products().add_weight_gradient(W, x.value(), dy);
  });
}

// y = x W'             dx = dy W       dW = dy' x
Var matmul_transposed(const Var& x, const Var& W) {
  Array y(product_shape("matmul_transposed", x, W, 1));
  multiply(x, W, t(matrix(W.value())), y, Into::overwrite);
  return Var("matmul_transposed", y, {x, W}, [x, W](const Array& dy) {
    add_input_gradient(x, dy, W, matrix(W.value()));
    products().add_weight_gradient(W, dy, x.value());
  });
}

// y = x W + b          dx and dW as in matmul       db = sum dy
Var affine(const Var& x, const Var& W, const Var& b) {
  const Shape shape = product_shape("affine", x, W, 0);
  if (!(b.shape() == Shape{W.dim(1)}))
    throw std::invalid_argument(
        fmt::format("affine: W {} needs b ({}), got {}", to_string(W.shape()), W.dim(1), to_string(b.shape())));
  Array y = repeated(b.value(), shape);
  multiply(x, W, matrix(W.value()), y, Into::add);
  return Var("affine", y, {x, W, b}, [x, W, b](const Array& dy) {
    add_input_gradient(x, dy, W, t(matrix(W.value())));
    products().add_weight_gradient(W, x.value(), dy);
    add_repeated_grad(b, dy);
  });
}

// y_i = a_i b_i        da_i = dy_i b_i'    db_i = a_i' dy_i
Var batched_matmul(const Var& a, const Var& b) {
  const Shape &sa = a.shape(), &sb = b.shape();
  if (sa.rank() != 3 || sb.rank() != 3 || sa[0] != sb[0] || sa[2] != sb[1])
    throw std::invalid_argument(fmt::format(
        "batched_matmul: a {} and b {} do not chain; (G, M, K) and (G, K, N) expected", to_string(sa), to_string(sb)));
  const std::size_t G = sa[0], M = sa[1], K = sa[2], N = sb[2];
  Array y({G, M, N});
  const auto gemm = products().gemm;
  const auto part = [](const Array& x, std::size_t i) {
    const std::size_t r = x.dim(1), c = x.dim(2);
    return MatrixView{x.data() + i * r * c, r, c, c, false};
  };
  for (std::size_t i = 0; i < G; ++i)
    gemm(part(a.value(), i), part(b.value(), i), y.data() + i * M * N, N, Into::overwrite);
  return Var("batched_matmul", y, {a, b}, [a, b, G, M, K, N, gemm, part](const Array& dy) {
    if (a.needs_grad()) {
      Array& da = a.zeroed_grad();
      for (std::size_t i = 0; i < G; ++i) gemm(part(dy, i), t(part(b.value(), i)), da.data() + i * M * K, K, Into::add);
    }
    if (b.needs_grad()) {
      Array& db = b.zeroed_grad();
      for (std::size_t i = 0; i < G; ++i) gemm(t(part(a.value(), i)), part(dy, i), db.data() + i * K * N, N, Into::add);
    }
  });
}

}  // namespace softalign::autograd
