// Compares the results of the primitive ops with plain loops and with numbers worked out by hand.
#include <tuple>

#include "autograd/array.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "tests/autograd/require_values.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;
using compare::random_array;

Var sequence(const Shape& shape) {  // 0, 1, 2, ..
  Array a(shape);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<Real>(i);
  return constant(a);
}

// Element (i, j, k) of the array after broadcasting to three axes.
Real at(const Array& a, std::size_t i, std::size_t j, std::size_t k) {
  const std::size_t index[] = {i, j, k};
  std::size_t place = 0;
  for (std::size_t d = 0; d < a.rank(); ++d) {
    const std::size_t wanted = index[3 - a.rank() + d];
    place = place * a.dim(d) + (a.dim(d) == 1 ? 0 : wanted);
  }
  return a[place];
}

}  // namespace

TEST_CASE("ops: arithmetic with broadcasting equals plain loops") {
  Random random(1);
  const Shape whole{3, 2, 5};
  const std::vector<Shape> parts{{3, 2, 5}, {2, 5}, {5}, {1}, {}, {3, 1, 5}, {1, 2, 1}, {2, 1}, {3, 1, 1}};
  for (const Shape& sa : parts)
    for (const Shape& sb : parts) {
      const Var a = constant(random_array(sa, random)), b = constant(random_array(sb, random));
      const Shape s = broadcast_shape("", sa, sb);
      INFO(to_string(sa) << " and " << to_string(sb) << " give " << to_string(s));
      const std::vector<std::pair<Var, std::function<Real(Real, Real)>>> results{
          {a + b, [](Real x, Real y) { return x + y; }},
          {a - b, [](Real x, Real y) { return x - y; }},
          {a * b, [](Real x, Real y) { return x * y; }},
          {a / b, [](Real x, Real y) { return x / y; }},
          {minimum(a, b), [](Real x, Real y) { return std::min(x, y); }}};
      for (const auto& [y, f] : results) {
        REQUIRE(y.shape() == s);
        for (std::size_t i = 0; i < whole[0]; ++i)
          for (std::size_t j = 0; j < whole[1]; ++j)
            for (std::size_t k = 0; k < whole[2]; ++k)
              REQUIRE(at(y.value(), i, j, k) ==
                      Approx(f(at(a.value(), i, j, k), at(b.value(), i, j, k))).epsilon(tight));
      }
    }
}

TEST_CASE("ops: elementwise functions equal the standard library's") {
  Random random(2);
  const Var x = constant(random_array({41}, random, 3));
  const std::vector<std::tuple<Var, std::function<double(double)>>> results{
      {exp(x), [](double v) { return std::exp(v); }},
      {log(square(x)), [](double v) { return std::log(v * v); }},
      {tanh(x), [](double v) { return std::tanh(v); }},
      {sigmoid(x), [](double v) { return 1 / (1 + std::exp(-v)); }},
      {relu(x), [](double v) { return v > 0 ? v : 0; }},
      {square(x), [](double v) { return v * v; }},
      {softplus(x), [](double v) { return std::log(1 + std::exp(v)); }},
      {-x, [](double v) { return -v; }},
      {x - Real(2), [](double v) { return v - 2; }},
      {Real(2) - x, [](double v) { return 2 - v; }},
      {Real(2) + x, [](double v) { return 2 + v; }},
      {Real(3) * x, [](double v) { return 3 * v; }}};
  for (const auto& [y, f] : results) {
    std::vector<double> expected;
    for (const Real v : x.value().span()) expected.push_back(f(v));
    require_values(y, {41}, expected);
  }
}

TEST_CASE("ops: saturated sigmoid, tanh and softplus stay finite") {
  const Var x = constant(Array({4}, {-1000, -100, 100, 1000}));
  require_values(sigmoid(x), {4}, {0, 0, 1, 1});
  require_values(tanh(x), {4}, {-1, -1, 1, 1});
  require_values(softplus(x), {4}, {0, 0, 100, 1000});
}

TEST_CASE("ops: sums, means and maxima reduce the chosen axes") {
  const Var x = sequence({2, 3, 2});
  require_values(sum(x), {}, {66});
  require_values(sum(x, {}, Keep::yes), {1, 1, 1}, {66});
  require_values(sum(x, {0}), {3, 2}, {6, 8, 10, 12, 14, 16});
  require_values(sum(x, {1}), {2, 2}, {6, 9, 24, 27});
  require_values(sum(x, {2}, Keep::yes), {2, 3, 1}, {1, 5, 9, 13, 17, 21});
  require_values(sum(x, {0, 2}), {3}, {14, 22, 30});
  require_values(sum(sequence({0, 3}), {0}), {3}, {0, 0, 0});
  require_values(sum(sequence({0})), {}, {0});
  require_values(mean(x, {0, 2}), {3}, {3.5, 5.5, 7.5});
  require_values(mean(x), {}, {5.5});
  require_values(mean(sequence({0, 3}), {1}), {0}, {});
  require_values(max(x, 1), {2, 2}, {4, 5, 10, 11});
  require_values(max(constant(Array({3, 2}, {1, -5, 7, -2, 7, -9})), 0, Keep::yes), {1, 2}, {7, -2});
  require_values(max(sequence({0, 3}), 1), {0}, {});
}

TEST_CASE("ops: the first of equal maxima gets the gradient") {
  const Var x = variable(Array({4}, {1, 5, 5, 2}));
  backward(sum(max(x, 0)));
  CHECK(compare::same_bits(x.grad(), Array({4}, {0, 1, 0, 0})));
}

TEST_CASE("ops: the first of two equal numbers is the minimum and gets the gradient") {
  const Var a = variable(Array({3}, {1, 5, 2})), b = variable(Array({3}, {1, 4, 3}));
  backward(sum(minimum(a, b)));
  CHECK(compare::same_bits(a.grad(), Array({3}, {1, 0, 1})));
  CHECK(compare::same_bits(b.grad(), Array({3}, {0, 1, 0})));
}

TEST_CASE("ops: reshapes, slices and transposes move numbers") {
  const Var x = sequence({2, 3});
  require_values(reshape(x, {3, 2}), {3, 2}, {0, 1, 2, 3, 4, 5});
  require_values(transpose(x), {3, 2}, {0, 3, 1, 4, 2, 5});
  require_values(transpose(sequence({2, 2, 3}), {2, 0, 1}), {3, 2, 2}, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
  require_values(slice(x, 1, 1, 3), {2, 2}, {1, 2, 4, 5});
  require_values(slice(x, 0, 1, 2), {1, 3}, {3, 4, 5});
  require_values(slice(x, 1, 2, 2), {2, 0}, {});
  require_values(concat({x, x}, 0), {4, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  require_values(concat({x, slice(x, 1, 0, 1)}, 1), {2, 4}, {0, 1, 2, 0, 3, 4, 5, 3});
  require_values(stack({x, x}), {2, 2, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  require_values(at(x, 1), {3}, {3, 4, 5});
  require_values(gather(x, {1, 0, 1}), {3, 3}, {3, 4, 5, 0, 1, 2, 3, 4, 5});
}

TEST_CASE("ops: products equal plain loops") {
  Random random(3);
  const std::size_t G = 3, M = 4, K = 7, N = 5;
  const Array a = random_array({G, M, K}, random), b = random_array({G, K, N}, random),
              bias = random_array({N}, random);
  std::vector<double> batched, shared, plus_bias;
  for (std::size_t g = 0; g < G; ++g)
    for (std::size_t m = 0; m < M; ++m)
      for (std::size_t n = 0; n < N; ++n) {
        double own = 0, first = 0;
        for (std::size_t k = 0; k < K; ++k) {
          own += static_cast<double>(a[(g * M + m) * K + k]) * static_cast<double>(b[(g * K + k) * N + n]);
          first += static_cast<double>(a[(g * M + m) * K + k]) * static_cast<double>(b[k * N + n]);
        }
        batched.push_back(own);
        shared.push_back(first);
        plus_bias.push_back(first + static_cast<double>(bias[n]));
      }
  const Var x = constant(a), W = constant(b.rows(0, 1).reshaped({K, N}));
  require_values(batched_matmul(x, constant(b)), {G, M, N}, batched);
  require_values(matmul(x, W), {G, M, N}, shared);
  require_values(matmul_transposed(x, transpose(W)), {G, M, N}, shared);
  require_values(affine(x, W, constant(bias)), {G, M, N}, plus_bias);
}
