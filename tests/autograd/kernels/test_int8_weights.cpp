// Quantisation to 8-bit integers: sums are exact, each number is rounded by at most half a step, and a row does not
// depend on the other rows.
#include "autograd/kernels.h"
#include "autograd/kernels/int8_weights.h"

#include <cmath>
#include <limits>

#include "autograd/kernels/gemm.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/int8_in_force.h"

using namespace softalign;

namespace {

using namespace autograd;

// Integers between -127 and 127. Every row, or every column, contains 127, so its scale is 1.
Array integers(std::size_t rows, std::size_t columns, bool largest_in_rows, Random& random) {
  Array x({rows, columns});
  for (Real& v : x.span()) v = static_cast<Real>(random.below(255)) - 127;
  for (std::size_t i = 0; columns > 0 && largest_in_rows && i < rows; ++i)
    x[i * columns + random.below(columns)] = -127;
  for (std::size_t j = 0; rows > 0 && !largest_in_rows && j < columns; ++j) x[random.below(rows) * columns + j] = 127;
  return x;
}

Array transposed(const Array& x) {
  Array y({x.dim(1), x.dim(0)});
  for (std::size_t i = 0; i < x.dim(0); ++i)
    for (std::size_t j = 0; j < x.dim(1); ++j) y[j * x.dim(0) + i] = x[i * x.dim(1) + j];
  return y;
}

Array multiply(const Array& x, const Array& W) {
  Array y({x.dim(0), W.dim(1)});
  Int8Weights(matrix(W)).multiply(matrix(x), y.data(), W.dim(1), Into::overwrite);
  return y;
}

}  // namespace

TEST_CASE("int8: sums of integer products are exact for all sizes") {
  Random random(1);
  for (const std::size_t R : {0, 1, 2, 5, 6, 7, 13})
    for (const std::size_t N : {0, 1, 15, 16, 63, 64, 65, 130})
      for (const std::size_t K : {0, 1, 2, 3, 4, 5, 300}) {
        INFO("R " << R << " N " << N << " K " << K);
        const Array x = integers(R, K, true, random), W = integers(K, N, false, random), W_t = transposed(W);
        const std::size_t stride = N + 3;
        for (const bool turned : {false, true})
          for (const Into into : {Into::overwrite, Into::add}) {
            Array y({R, stride}, 5);
            Int8Weights(turned ? t(matrix(W_t)) : matrix(W)).multiply(matrix(x), y.data(), stride, into);
            for (std::size_t r = 0; r < R; ++r)
              for (std::size_t n = 0; n < stride; ++n) {
                long sum = into == Into::add || n >= N ? 5 : 0;
                for (std::size_t k = 0; n < N && k < K; ++k)
                  sum += std::lround(x[r * K + k]) * std::lround(W[k * N + n]);
                REQUIRE(y[r * stride + n] == Approx(static_cast<double>(sum)).epsilon(sizeof(Real) == 8 ? 0 : 1e-7));
              }
          }
      }
}

TEST_CASE("int8: 32 bits suffice for the largest sum") {
  const std::size_t K = Int8Weights::most_terms;
  const Array x({1, K}, 127), W({K, 1}, -127);
  CHECK(multiply(x, W)[0] == Approx(-127.0 * 127.0 * static_cast<double>(K)).epsilon(1e-6));
  CHECK_THROWS_AS(Int8Weights(matrix(Array({K + 1, 1}, 1))), std::invalid_argument);
  const Array narrow({1, 3}, 1), three({4, 2}, 1);
  CHECK_THROWS_AS(multiply(narrow, three), std::invalid_argument);
  const Array wide({2, 4}, 1);
  Array y({4, 2});
  CHECK_THROWS_AS(Int8Weights(matrix(three)).multiply(t(matrix(wide)), y.data(), 2, Into::overwrite),
                  std::invalid_argument);
}

// Wu et al. 2016, section 6
TEST_CASE("int8: each number is rounded by at most half of its step") {
  Random random(2);
  for (const std::size_t K : {1, 7, 128, 1001}) {
    const std::size_t R = 3, N = 40;
    const Array x = compare::random_array({R, K}, random), W = compare::random_array({K, N}, random),
                y = multiply(x, W);
    for (std::size_t r = 0; r < R; ++r)
      for (std::size_t n = 0; n < N; ++n) {
        double largest_x = 0, largest_w = 0, exact = 0;
        for (std::size_t k = 0; k < K; ++k) {
          largest_x = std::max(largest_x, std::abs(double(x[r * K + k])));
          largest_w = std::max(largest_w, std::abs(double(W[k * N + n])));
          exact += double(x[r * K + k]) * double(W[k * N + n]);
        }
        const double half_x = largest_x / 254, half_w = largest_w / 254;
        double bound = 0;
        for (std::size_t k = 0; k < K; ++k)
          bound += half_x * std::abs(double(W[k * N + n])) + half_w * std::abs(double(x[r * K + k])) + half_x * half_w;
        CHECK(std::abs(double(y[r * N + n]) - exact) <= bound * 1.0001 + 1e-9);
        if (K > 100) CHECK(std::abs(double(y[r * N + n]) - exact) < bound / 4);  // errors of both signs cancel
      }
  }
}

TEST_CASE("int8: a product with the identity rounds each number to its nearest step") {
  Random random(9);
  const std::size_t K = 100;
  Array I({K, K}, 0);
  for (std::size_t k = 0; k < K; ++k) I[k * K + k] = 1;
  Array x = compare::random_array({1, K}, random);
  x[3] = 4;  // the largest element
  const Array rows = multiply(x, I), columns = multiply(I, transposed(x).reshaped({K, 1}));
  for (std::size_t k = 0; k < K; ++k) CHECK(std::abs(rows[k] - x[k]) <= Real(4.0001 / 254));
  for (std::size_t k = 0; k < K; ++k) CHECK(std::abs(columns[k] - x[k]) <= Real(4.0001 / 254));
}

TEST_CASE("int8: a row of a product does not depend on the other rows, to the bit") {
  Random random(3);
  const Array x = compare::random_array({13, 37}, random), W = compare::random_array({37, 133}, random);
  const Array all = multiply(x, W);
  for (std::size_t r = 0; r < 13; ++r) CHECK(compare::same_bits(multiply(x.rows(r, r + 1), W), all.rows(r, r + 1)));
}

TEST_CASE("int8: numbers that are not finite affect only their row or column, and zeros stay zero") {
  Random random(4);
  const Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Real bad : {infinity, -infinity, nan}) {
    Array x = compare::random_array({3, 20}, random), W = compare::random_array({20, 70}, random);
    const Array whole = multiply(x, W);
    x[20 + 7] = bad, W[7 * 70 + 66] = bad;
    const Array y = multiply(x, W);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (i / 70 == 1 || i % 70 == 66) CHECK(std::isnan(y[i]));
      else CHECK(y[i] == whole[i]);
    }
  }
  const Array no_rows = multiply(Array({2, 5}, 0), Array({5, 3}, 1)),
              no_columns = multiply(Array({2, 5}, 1), zeros({5, 3}));
  for (const Real v : no_rows.span()) CHECK(v == 0);
  for (const Real v : no_columns.span()) CHECK(v == 0);
  const Real least = std::numeric_limits<Real>::denorm_min();
  CHECK(std::isfinite(multiply(Array({1, 4}, least), Array({4, 1}, least))[0]));
}

TEST_CASE("int8: when int8 is active, products with weights outside the graph are computed in integers") {
  Random random(5);
  const Array x = compare::random_array({4, 19}, random);
  const Var W = variable(compare::random_array({19, 33}, random));
  const Array exact = matmul(constant(x), W).value(), rounded = multiply(x, W.value());
  REQUIRE_FALSE(compare::same_bits(exact, rounded));
  {
    const Int8InForce integers;
    // The graph is recorded, so the product is not quantised.
    CHECK(compare::same_bits(matmul(constant(x), W).value(), exact));
    const NoGrad no_grad;
    CHECK(compare::same_bits(matmul(constant(x), W).value(), rounded));
    CHECK(compare::same_bits(matmul(constant(x), W).value(), rounded));
    CHECK(compare::same_bits(matmul(constant(x), constant(W.value())).value(), exact));  // a constant is not a weight
    const Var W_t = variable(transposed(W.value()));
    CHECK(compare::same_bits(matmul_transposed(constant(x), W_t).value(), rounded));
    W.mutable_value().fill(2);
    CHECK(compare::same_bits(matmul(constant(x), W).value(), multiply(x, W.value())));
  }
  const NoGrad no_grad;
  CHECK_FALSE(int8());
  const Var other = variable(compare::random_array({19, 33}, random));
  CHECK_FALSE(compare::same_bits(matmul(constant(x), other).value(), multiply(x, other.value())));
}

TEST_CASE("int8: when int8 is active, products with too many terms for 32 bits stay in floating point") {
  const std::size_t K = Int8Weights::most_terms + 1;
  Random random(8);
  const Var x = constant(compare::random_array({1, K}, random)), W = variable(compare::random_array({K, 2}, random)),
            W_t = variable(transposed(W.value()));
  const NoGrad no_grad;
  const Array exact = matmul(x, W).value(), exact_t = matmul_transposed(x, W_t).value();
  const Int8InForce integers;
  CHECK(compare::same_bits(matmul(x, W).value(), exact));
  CHECK(compare::same_bits(matmul_transposed(x, W_t).value(), exact_t));
}

TEST_CASE("int8: a recurrence of many steps equals its single steps, to the bit") {
  Random random(7);
  const std::size_t S = 5, B = 3, H = 20;
  const Var x = constant(compare::random_array({S * B, 7}, random)),
            W = variable(compare::random_array({7, 4 * H}, random)),
            U = variable(compare::random_array({H, 4 * H}, random)),
            b = variable(compare::random_array({4 * H}, random));
  const Int8InForce integers;
  const NoGrad no_grad;
  const Var gates = reshape(affine(x, W, b), {S, B, 4 * H}), zero = constant(zeros({B, H}));
  const Steps all{.S = S, .B = B};
  const Array together = fused::lstm({gates}, U, zero, zero, all).h.value();
  Var h = zero, c = zero;
  for (std::size_t t = 0; t < S; ++t) {
    const Var gates_t = constant(gates.value().rows(t, t + 1));
    const LSTMSequence step = fused::lstm({gates_t}, U, h, c, {.S = 1, .B = B});
    h = step.last_h, c = step.last_c;
    CHECK(compare::same_bits(h.value(), together.rows(t, t + 1).reshaped({B, H})));
  }
}

TEST_CASE("int8: a weight and its transpose are packed once each") {
  Random random(6);
  const Array W = compare::random_array({19, 33}, random);
  PackedWeights packed;
  const auto first = packed.integers_of(W, 1, matrix(W)).integers;
  CHECK(packed.integers_of(W, 1, matrix(W)).integers == first);
  CHECK(packed.integers_of(W, 1, columns(matrix(W), 0, 9)).integers != first);
  CHECK(packed.integers_of(W, 2, matrix(W)).integers != first);
}
