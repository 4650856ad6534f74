// Packed weights: these tests check when weights are packed, how long they are kept, and that products stay the same.
#include "autograd/kernels/gemm.h"

#include <numeric>

#include "autograd/kernels/internal/shared_weights.h"
#include "autograd/memory.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/blas.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("packed weights: large weights are packed in one of two ways at a time, and freed") {
  for (const bool large : {false, true}) {
    const Array W = zeros({large ? std::size_t{1025} : std::size_t{1024}, 1024});
    PackedWeights packed;
    const auto panels = [&](const MatrixView& b) { return packed.of(W, 1, b, 17, 1).panels; };
    for (int i = 0; i < 2; ++i) panels(matrix(W));
    const Array forwards = panels(matrix(W));
    for (int i = 0; i < 2; ++i) panels(t(matrix(W)));
    CHECK(panels(matrix(W)).shares_memory_with(forwards) == !large);
    packed.forget(W);
    CHECK(panels(matrix(W)).defined() == !large);
    CHECK(panels(matrix(W)).defined());
    const MatrixView half = columns(matrix(W), 0, 512);
    panels(half);
    CHECK(panels(half).defined());
    packed.forget_large();
    CHECK(panels(matrix(W)).defined() == !large);
    CHECK(panels(half).defined() == !large);
  }
}

TEST_CASE("packed weights: a weight is packed after the number of rows in pack_after") {
  Random random(4);
  const Array W = compare::random_array({19, 33}, random);
  PackedWeights packed;
  const auto panels = [&](const MatrixView& b, std::size_t rows, std::uint64_t version = 1) {
    return packed.of(W, version, b, rows, 1).panels;
  };
  CHECK_FALSE(panels(matrix(W), 17).defined());  // most weights are used in a single product
  const Array pack_panels = panels(matrix(W), 17);
  REQUIRE(pack_panels.defined());
  CHECK(panels(matrix(W), 5).shares_memory_with(pack_panels));
  CHECK_FALSE(panels(matrix(W), 1).defined());
  CHECK_FALSE(panels(matrix(W), 257).defined());
  CHECK_FALSE(panels(columns(matrix(W), 0, 9), 17).defined());  // a part of W is packed separately
  CHECK_FALSE(panels(rows(matrix(W), 0, 9), 17).defined());
  CHECK(panels(matrix(W), 5).shares_memory_with(pack_panels));
  CHECK_FALSE(panels(t(matrix(W)), 17).defined());
  CHECK(panels(t(matrix(W)), 17).defined());
  CHECK(panels(matrix(W), 5).shares_memory_with(pack_panels));
  CHECK_FALSE(panels(matrix(W), 17, 2).defined());
  CHECK(panels(matrix(W), 17, 2).defined());

  PackedWeights other;
  CHECK(other.of(W, 1, matrix(W), 2, 0).panels.defined());
  PackedWeights patient;
  for (int i = 0; i < 4; ++i) CHECK_FALSE(patient.of(W, 1, matrix(W), 16, 64).panels.defined());
  CHECK(patient.of(W, 1, matrix(W), 16, 64).panels.defined());
}

TEST_CASE("packed weights: a weight that was changed or freed is packed again") {
  Random random(4);
  const Array x = compare::random_array({20, 19}, random);
  const Var W = variable(compare::random_array({19, 33}, random));
  const auto product = [&] { return matmul(constant(x), W).value(); };
  const Array before = product();
  for (int i = 0; i < 3; ++i) CHECK(compare::relative_error(product(), before) < 1e-5);
  W.mutable_value().fill(1);
  for (int i = 0; i < 3; ++i)
    CHECK(product()[0] == Approx(std::accumulate(x.data(), x.data() + 19, Real(0))).margin(1e-4));

  PackedWeights packed;
  for (int i = 0; i < 3; ++i) {
    const Array other = compare::random_array({19, 33}, random);
    const Factor first = packed.of(other, 1, matrix(other), 20, 1), second = packed.of(other, 1, matrix(other), 20, 1);
    Array y({20, 33}), expected({20, 33});
    gemm(matrix(x), second, y, Into::overwrite);
    gemm(matrix(x), matrix(other), expected, Into::overwrite);
    CHECK(compare::relative_error(y, expected) < 1e-5);
  }
}

TEST_CASE("products with a weight do not depend on its earlier products, to the bit") {
  Random random(8);
  const NoGrad no_grad;
  const ThreadLimit one(1);
  struct Size {
    std::size_t K, N;
  };
  for (const auto [K, N] : {Size{40, 70}, Size{1030, 1024}})
    for (const bool tied : {false, true})
      for (const std::size_t rows : {1, 2, 5, 16, 17, 40}) {
        INFO("K " << K << " N " << N << " tied " << tied << " rows " << rows);
        const Var x = constant(compare::random_array({rows, K}, random));
        const Var W = variable(compare::random_array(tied ? Shape{N, K} : Shape{K, N}, random));
        const auto product = [&] { return (tied ? matmul_transposed(x, W) : matmul(x, W)).value(); };
        const Array first = product();
        for (int i = 0; i < 70; ++i) product();
        CHECK(compare::same_bits(product(), first));
      }
}

TEST_CASE("shared weights: they are found after a refresh, until they are changed, moved or freed") {
  Random random(5);
  Var W = variable(compare::random_array({19, 33}, random));
  SharedWeights shared;
  const auto product_is_right = [&](const Factor& b) {
    const Array x = compare::random_array({20, 19}, random);
    Array y({20, 33}), expected({20, 33});
    gemm(matrix(x), b, y, Into::overwrite);
    gemm(matrix(x), matrix(W.value()), expected, Into::overwrite);
    return compare::relative_error(y, expected) < 1e-5;
  };
  CHECK(shared.find(W, matrix(W.value())) == nullptr);
  CHECK(shared.find(W, t(matrix(W.value()))) == nullptr);
  shared.refresh();
  REQUIRE(shared.find(W, matrix(W.value())) != nullptr);
  CHECK(shared.find(W, t(matrix(W.value()))) != nullptr);
  CHECK(product_is_right(*shared.find(W, matrix(W.value()))));

  W.mutable_value().fill(2);
  CHECK(shared.find(W, matrix(W.value())) == nullptr);  // it was packed from other numbers
  shared.refresh();
  REQUIRE(shared.find(W, matrix(W.value())) != nullptr);
  CHECK(product_is_right(*shared.find(W, matrix(W.value()))));

  W.mutable_value() = compare::random_array({19, 33}, random);  // the new numbers are in other memory
  shared.refresh();
  CHECK(shared.find(W, matrix(W.value())) == nullptr);
  shared.refresh();
  REQUIRE(shared.find(W, matrix(W.value())) != nullptr);
  CHECK(product_is_right(*shared.find(W, matrix(W.value()))));

  W = variable(compare::random_array({19, 33}, random));
  shared.refresh();
  CHECK(shared.find(W, matrix(W.value())) == nullptr);
}

TEST_CASE("shared weights: the copy of a weight is freed if the weight moves to a higher or a lower address") {
  Random random(5);
  const Array memory = compare::random_array({57, 33}, random);
  const Var W = variable(memory.rows(19, 38));
  SharedWeights shared;
  const std::size_t before = array_bytes().now;
  for (const std::size_t row : {38, 19, 0, 19}) {
    shared.find(W, matrix(W.value()));
    shared.refresh();
    REQUIRE(shared.find(W, matrix(W.value())) != nullptr);
    CHECK(array_bytes().now > before);
    W.mutable_value() = memory.rows(row, row + 19);
    shared.refresh();
    CHECK(array_bytes().now == before);
  }
}

TEST_CASE("shared weights: a weight without numbers is not packed, and its products are right") {
  SharedWeights shared;
  use_shared_weights(&shared);
  for (const Shape& shape : {Shape{0, 3}, Shape{3, 0}}) {
    const Var W = variable(Array(shape, 1)), x = constant(Array({20, shape[0]}, 1));
    CHECK(!shared_factor(W, matrix(W.value()), 20));
    for (int step = 0; step < 2; ++step) {
      CHECK(compare::same_bits(matmul(x, W).value(), Array({20, shape[1]}, 0)));
      shared.refresh();
    }
  }
  use_shared_weights(nullptr);
}

TEST_CASE("shared weights: only those that were used since the last refresh are packed again") {
  Random random(6);
  const Var W = variable(compare::random_array({19, 33}, random));
  SharedWeights shared;
  shared.find(W, matrix(W.value()));
  shared.find(W, t(matrix(W.value())));
  shared.refresh();
  REQUIRE(shared.find(W, matrix(W.value())) != nullptr);  // and the transpose is not used
  W.mutable_value().fill(2);
  shared.refresh();
  CHECK(shared.find(W, matrix(W.value())) != nullptr);
  CHECK(shared.find(W, t(matrix(W.value()))) == nullptr);
  shared.refresh();
  CHECK(shared.find(W, t(matrix(W.value()))) != nullptr);
}

TEST_CASE("shared weights: products use them and have the same bits") {
  Random random(6);
  const Var W = variable(compare::random_array({40, 70}, random));
  const Array x = compare::random_array({20, 40}, random);
  const auto product = [&] { return matmul(constant(x), W).value(); };
  const Array before = product();
  SharedWeights shared;
  use_shared_weights(&shared);
  product();
  shared.refresh();
  CHECK(shared.find(W, matrix(W.value())) != nullptr);
  CHECK(shared_factor(W, matrix(W.value()), 20)->panels.data() == shared.find(W, matrix(W.value()))->panels.data());
  CHECK(!shared_factor(W, matrix(W.value()), 1));
  CHECK(compare::same_bits(product(), before));
  use_shared_weights(nullptr);
  CHECK(!shared_factor(W, matrix(W.value()), 20));
}

TEST_CASE("shared weights: the first step, before packing, has the same bits as the next one") {
  Random random(7);
  const Var W = variable(compare::random_array({40, 70}, random)), b = variable(compare::random_array({70}, random));
  for (const std::size_t rows : {2, 20, 40}) {
    const Array x = compare::random_array({rows, 40}, random);
    SharedWeights shared;
    use_shared_weights(&shared);
    const auto step = [&] {
      const Var in = variable(x.clone());
      backward(sum(fused::output_cross_entropy(in, W, b, Ids(rows, 3), 0, -1)));
      return in.grad();
    };
    const Array first = step();
    shared.refresh();
    CHECK(compare::same_bits(step(), first));
    use_shared_weights(nullptr);
  }
}

TEST_CASE("large products on many threads are correct and have the same bits on fewer threads") {
  const int before = threads();
  Random random(7);
  struct Size {
    std::size_t m, n, k;
  };
  for (const auto [m, n, k] : {Size{300, 1000, 700}, Size{97, 1501, 513}, Size{1000, 65, 600}})
    for (const bool a_transposed : {false, true})
      for (const bool b_transposed : {false, true})
        for (const Into into : {Into::overwrite, Into::add}) {
          INFO(m << " " << n << " " << k << " " << a_transposed << b_transposed << (into == Into::add));
          const Array a = compare::random_array(a_transposed ? Shape{k, m} : Shape{m, k}, random);
          const Array b = compare::random_array(b_transposed ? Shape{n, k} : Shape{k, n}, random);
          const Shape shape{m, n};  // clang 14 lets no lambda use the names of a structured binding
          const auto product = [&](int of) {
            set_threads(of);
            Array c(shape, 1);
            gemm(a_transposed ? t(matrix(a)) : matrix(a), b_transposed ? t(matrix(b)) : matrix(b), c, into);
            return c;
          };
          const Array by_many = product(16), by_one = product(1);
          CHECK(compare::relative_error(by_many, by_one) < 1e-5);
          set_threads(16);
          const ThreadLimit alone(1);
          Array c(shape, 1);
          gemm(a_transposed ? t(matrix(a)) : matrix(a), b_transposed ? t(matrix(b)) : matrix(b), c, into);
          CHECK(compare::same_bits(c, by_many));
        }
  set_threads(before);
}
