// Products of weight gradients that are deferred and then computed together.
#include "autograd/kernels/products.h"

#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("weight products: joined parts are their sum, with or without an earlier gradient") {
  constexpr std::size_t rows = 1000, K = 1200, N = 6;  // five products, about three of which are joined at a time
  Random random(3);
  WeightProducts products{Array()};
  Array expected({K, N}, 0);
  for (int s = 0; s < 5; ++s) {
    const Array x = compare::random_array({rows, K}, random), dy = compare::random_array({rows, N}, random);
    products.add(x, dy, {0, N});
    gemm(t(matrix(x)), matrix(dy), expected, Into::add);
  }
  Array dW({K, N}, 7);  // a fresh slot's old numbers must not be read
  products.add_into({dW, true});
  CHECK(compare::relative_error(dW, expected) < 1e-5);
  products.add_into({dW, false});
  add_into(expected, expected.clone());
  CHECK(compare::relative_error(dW, expected) < 1e-5);
}

TEST_CASE("weight products: products of one weight wait until its first use is reached") {
  const Var x = variable(Array({2, 3}, Real(0.5))), W = variable(Array({3, 3}, Real(0.25)));
  std::vector<bool> waited;
  const auto watched = [&](const Var& h) {
    return Var("watched", h.value(), {h}, [&, h](const Array& dy) {
      waited.push_back(own_gradient(*W.node()).waits());
      h.add_grad(dy);
    });
  };
  backward(sum(matmul(watched(matmul(watched(x), W)), W)));
  CHECK(waited == std::vector<bool>{true, false});
}

TEST_CASE("weight products: parts with the same first column stay separate") {
  Random random(3);
  const Array x = compare::random_array({4, 3}, random), dy = compare::random_array({4, 5}, random);
  WeightProducts products{Array()};
  products.add(x, dy, {0, 5});
  products.add(x, dy, {0, 2});
  Array dW({3, 5}, 0), whole({3, 5});
  products.add_into({dW, false});
  gemm(t(matrix(x)), matrix(dy), whole, Into::overwrite);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t n = 0; n < 5; ++n) CHECK(dW[k * 5 + n] == Approx((n < 2 ? 2 : 1) * whole[k * 5 + n]).margin(1e-5));
}

TEST_CASE("weight products: products of some columns change no other columns") {
  Random random(3);
  const Array x = compare::random_array({4, 3}, random), dy = compare::random_array({4, 5}, random);
  Array whole({3, 5});
  gemm(t(matrix(x)), matrix(dy), whole, Into::overwrite);
  for (const std::size_t begin : {0, 1}) {
    WeightProducts products{Array()};
    products.add(x, dy, {begin, 3});
    products.add(x, dy, {begin, 3});
    Array dW({3, 5}, 7);
    products.add_into({dW, true});
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t n = 0; n < 5; ++n)
        CHECK(dW[k * 5 + n] == Approx(n >= begin && n < 3 ? 2 * whole[k * 5 + n] : 0).margin(1e-5));
  }
}

TEST_CASE("weight products: a gradient of looked-up rows is not sparse while products are pending") {
  const Var W = variable(Array({3, 2}, 1));
  add_row_grad(W, {1}, Array({1, 2}, 5));
  CHECK(grad_is_sparse(W));
  add_product_grad(W, Array({1, 3}, {1, 2, 3}), Array({1, 2}, {1, 10}));
  CHECK_FALSE(grad_is_sparse(W));
  CHECK(compare::same_bits(W.grad(), Array({3, 2}, {1, 10, 7, 25, 3, 30})));
}
