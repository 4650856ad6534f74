// What the primitive ops compute, against plain loops and numbers worked out by hand; and how they refuse bad shapes.
#include <limits>
#include <tuple>

#include "autograd/ops/broadcast.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace {

using namespace autograd;
using compare::random_array;

const double tight = sizeof(Real) == 8 ? 1e-13 : 2e-6;
constexpr Real infinity = std::numeric_limits<Real>::infinity();

void require_values(const Var& y, const Shape& shape, const std::vector<double>& expected) {
  INFO(y.op() << " " << to_string(y.shape()));
  REQUIRE(y.shape() == shape);
  REQUIRE(expected.size() == y.value().size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i);
    REQUIRE(y.value()[i] == Approx(expected[i]).epsilon(tight).margin(tight));
  }
}

Var sequence(const Shape& shape) {  // 0, 1, 2, ..
  Array a(shape);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<Real>(i);
  return constant(a);
}

// Element (i, j, k) of a three-axis broadcast.
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

TEST_CASE("ops: arithmetic with broadcasting is that of plain loops") {
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
          {a / b, [](Real x, Real y) { return x / y; }}};
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

TEST_CASE("ops: elementwise functions are the standard library's") {
  Random random(2);
  const Var x = constant(random_array({41}, random, 3));
  const std::vector<std::tuple<Var, std::function<double(double)>>> results{
      {exp(x), [](double v) { return std::exp(v); }},
      {log(square(x)), [](double v) { return std::log(v * v); }},
      {tanh(x), [](double v) { return std::tanh(v); }},
      {sigmoid(x), [](double v) { return 1 / (1 + std::exp(-v)); }},
      {relu(x), [](double v) { return v > 0 ? v : 0; }},
      {square(x), [](double v) { return v * v; }},
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

TEST_CASE("ops: saturated sigmoid and tanh stay finite") {
  const Var x = constant(Array({4}, {-1000, -100, 100, 1000}));
  require_values(sigmoid(x), {4}, {0, 0, 1, 1});
  require_values(tanh(x), {4}, {-1, -1, 1, 1});
}

TEST_CASE("ops: sums, means and maxima over axes") {
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

TEST_CASE("ops: of equal maxima the first takes the gradient") {
  const Var x = variable(Array({4}, {1, 5, 5, 2}));
  backward(sum(max(x, 0)));
  CHECK(compare::same_bits(x.grad(), Array({4}, {0, 1, 0, 0})));
}

TEST_CASE("ops: moving numbers about") {
  const Var x = sequence({2, 3});
  require_values(reshape(x, {3, 2}), {3, 2}, {0, 1, 2, 3, 4, 5});
  require_values(transpose(x), {3, 2}, {0, 3, 1, 4, 2, 5});
  require_values(transpose(sequence({2, 2, 3}), {2, 0, 1}), {3, 2, 2}, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
  require_values(slice(x, 1, 1, 3), {2, 2}, {1, 2, 4, 5});
  require_values(slice(x, 0, 1, 2), {1, 3}, {3, 4, 5});
  require_values(slice(x, 1, 2, 2), {2, 0}, {});
  require_values(concat({x, x}, 0), {4, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  require_values(concat({x, slice(x, 1, 0, 1)}, 1), {2, 4}, {0, 1, 2, 0, 3, 4, 5, 3});
  require_values(stack({x, x}, 0), {2, 2, 3}, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  require_values(stack({x, x}, 2), {2, 3, 2}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  require_values(gather(x, {1, 0, 1}), {3, 3}, {3, 4, 5, 0, 1, 2, 3, 4, 5});
}

TEST_CASE("ops: products are those of plain loops") {
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

TEST_CASE("softmax: values, masks, huge logits, rows with nothing kept") {
  const double e = std::exp(1.0);
  const Var x = constant(Array({2, 3}, {0, 1, 0, 1000, 1000, -1000}));
  require_values(softmax(x), {2, 3}, {1 / (2 + e), e / (2 + e), 1 / (2 + e), .5, .5, 0});
  require_values(
      log_softmax(x), {2, 3},
      {-std::log(2 + e), 1 - std::log(2 + e), -std::log(2 + e), -std::log(2), -std::log(2), -2000 - std::log(2)});
  const Array mask({2, 3}, {1, 0, 1, 0, 0, 0});
  const Array y = softmax(x, mask).value();
  CHECK(compare::same_bits(y, Array({2, 3}, {.5, 0, .5, 0, 0, 0})));
  const Array log_y = log_softmax(x, mask).value();
  CHECK(log_y[0] == Approx(-std::log(2)).epsilon(tight));
  for (std::size_t i : {1, 3, 4, 5}) CHECK(log_y[i] == log_of_zero);
}

TEST_CASE("softmax: what a dropped entry holds does not matter, and it gets no gradient") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Real poison : {infinity, -infinity, nan, Real(1e30)}) {
    const Array mask({1, 3}, {1, 0, 1});
    for (const auto& f : {std::function<Var(const Var&)>([&](const Var& v) { return softmax(v, mask); }),
                          std::function<Var(const Var&)>([&](const Var& v) { return log_softmax(v, mask); })}) {
      const Var x = variable(Array({1, 3}, {1, poison, 2})), clean = variable(Array({1, 3}, {1, 0, 2}));
      const Var y = f(x), y_clean = f(clean);
      INFO(y.op() << " of " << poison);
      CHECK(compare::same_bits(y.value(), y_clean.value()));
      backward(sum(y * constant(Array({1, 3}, {3, 5, 7}))));
      backward(sum(y_clean * constant(Array({1, 3}, {3, 5, 7}))));
      CHECK(compare::same_bits(x.grad(), clean.grad()));
      CHECK(x.grad()[1] == 0);
      CHECK(x.grad()[0] != 0);
    }
  }
}

TEST_CASE("softmax: a NaN among the kept shows, and minus infinity is a probability of 0") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  CHECK_FALSE(all_finite(softmax(constant(Array({1, 2}, {nan, nan}))).value()));
  CHECK_FALSE(all_finite(log_softmax(constant(Array({1, 2}, {nan, 1}))).value()));
  CHECK(compare::same_bits(softmax(constant(Array({1, 2}, {-infinity, 3}))).value(), Array({1, 2}, {0, 1})));
  CHECK(compare::same_bits(log_softmax(constant(Array({1, 2}, {-infinity, 3}))).value(),
                           Array({1, 2}, {log_of_zero, 0})));
}

TEST_CASE("cross_entropy: smoothing spreads eps over all words, padding costs nothing") {
  const Var logits = constant(Array({3, 4}, {0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5}));
  const double Z = std::log(std::exp(1) + std::exp(2) + std::exp(3) + std::exp(4));
  require_values(cross_entropy(logits, {1, 3, 0}), {3}, {std::log(4), Z - 4, 0});
  const double eps = 0.2;  // mean_v -log p = Z - 2.5
  require_values(cross_entropy(logits, {1, 3, 0}, {eps}), {3}, {std::log(4), .8 * (Z - 4) + .2 * (Z - 2.5), 0});
  require_values(cross_entropy(logits, {0, -7, 0}, {0, -7}), {3}, {std::log(4), 0, std::log(4)});

  const Var x = variable(logits.value().clone());
  backward(sum(cross_entropy(x, {1, 0, 2})));
  CHECK(x.grad()[1] == Approx(-.75));
  for (std::size_t j = 4; j < 8; ++j) CHECK(x.grad()[j] == 0);
}

TEST_CASE("dropout: the share of zeros, the scale of the rest, and the stream of draws") {
  Random random(4);
  const std::size_t n = 100001;
  const Array mask = dropout_mask({n}, 0.3, random);
  std::size_t zero = 0, kept = 0;
  for (Real v : mask.span()) {
    zero += v == 0;
    kept += v == Approx(1 / 0.7);
  }
  CHECK(zero + kept == n);
  CHECK(std::abs(static_cast<double>(zero) / n - 0.3) < 5 * std::sqrt(0.3 * 0.7 / n));

  // Neighbours are independent: the two halves of a draw agree as often as chance says.
  std::size_t both = 0;
  for (std::size_t i = 0; i + 1 < n; i += 2) both += mask[i] == 0 && mask[i + 1] == 0;
  CHECK(std::abs(static_cast<double>(both) / (n / 2) - 0.09) < 5 * std::sqrt(0.09 * 0.91 / (n / 2)));

  Random a(9), b(9);
  const Var x = variable(Array({50}, 2));
  const Var y = dropout(x, 0.5, a);
  CHECK(compare::same_bits(y.value(), (x * constant(dropout_mask({50}, 0.5, b))).value()));
  CHECK(dropout(x, 0, a).node() == x.node());
  CHECK(a.position() == 25);
}

TEST_CASE("ops: errors name the op and both shapes") {
  const auto v = [](const Shape& s) { return constant(Array(s, 1)); };
  using Contains = std::vector<std::string>;
  const std::vector<std::pair<std::function<void()>, Contains>> wrong{
      {[&] {
         v({2, 3}) + v({2});
       },
       {"add", "(2, 3)", "(2)"}},
      {[&] {
         v({2, 3}) - v({4, 3});
       },
       {"sub", "(2, 3)", "(4, 3)"}},
      {[&] {
         v({2, 3}) * v({3, 2});
       },
       {"mul", "(2, 3)", "(3, 2)"}},
      {[&] {
         v({0, 3}) / v({2, 3});
       },
       {"div", "(0, 3)", "(2, 3)"}},
      {[&] {
         matmul(v({2, 3}), v({4, 5}));
       },
       {"matmul", "x (2, 3)", "W (4, 5)"}},
      {[&] {
         matmul(v({2, 3}), v({3}));
       },
       {"matmul", "(2, 3)", "(3)"}},
      {[&] {
         matmul(v({}), v({1, 1}));
       },
       {"matmul", "()", "(1, 1)"}},
      {[&] {
         matmul_transposed(v({2, 3}), v({3, 2}));
       },
       {"matmul_transposed", "(2, 3)", "(3, 2)"}},
      {[&] {
         affine(v({2, 3}), v({4, 5}), v({5}));
       },
       {"affine", "(2, 3)", "(4, 5)"}},
      {[&] {
         affine(v({2, 3}), v({3, 5}), v({4}));
       },
       {"affine", "(3, 5)", "(4)"}},
      {[&] {
         batched_matmul(v({2, 3, 4}), v({2, 3, 4}));
       },
       {"batched_matmul", "(2, 3, 4)"}},
      {[&] {
         batched_matmul(v({2, 3, 4}), v({3, 4, 2}));
       },
       {"batched_matmul", "(2, 3, 4)", "(3, 4, 2)"}},
      {[&] {
         reshape(v({2, 3}), {4});
       },
       {"reshape", "(2, 3)", "(4)"}},
      {[&] {
         transpose(v({2, 3}), {0, 0});
       },
       {"transpose", "0, 0", "(2, 3)"}},
      {[&] { transpose(v({3})); }, {"transpose", "(3)"}},
      {[&] {
         slice(v({2, 3}), 1, 2, 4);
       },
       {"slice", "[2, 4)", "(2, 3)"}},
      {[&] {
         slice(v({2, 3}), 2, 0, 1);
       },
       {"slice", "axis 2", "(2, 3)"}},
      {[&] {
         concat({v({2, 3}), v({3, 3})}, 1);
       },
       {"concat", "(2, 3)", "(3, 3)"}},
      {[&] { concat({}, 0); }, {"concat"}},
      {[&] {
         stack({v({2}), v({3})}, 0);
       },
       {"stack", "(2)", "(3)"}},
      {[&] {
         stack({v({2}), v({2})}, 2);
       },
       {"stack", "(2)"}},
      {[&] {
         gather(v({2, 3}), {2});
       },
       {"gather", "2", "(2, 3)"}},
      {[&] {
         gather(v({2, 3}), {-1});
       },
       {"gather", "-1", "(2, 3)"}},
      {[&] { gather(v({}), {0}); }, {"gather"}},
      {[&] {
         sum(v({2, 3}), {2});
       },
       {"sum", "axis 2", "(2, 3)"}},
      {[&] {
         mean(v({0, 3}), {0});
       },
       {"mean", "(0, 3)"}},
      {[&] {
         max(v({2, 0}), 1);
       },
       {"max", "axis 1", "(2, 0)"}},
      {[&] { softmax(v({})); }, {"softmax", "scalar"}},
      {[&] {
         softmax(v({2, 3}), Array({2}, 1));
       },
       {"softmax", "(2)", "(2, 3)"}},
      {[&] {
         log_softmax(v({2, 3}), Array({4, 2, 3}, 1));
       },
       {"log_softmax", "(4, 2, 3)", "(2, 3)"}},
      {[&] {
         cross_entropy(v({2, 3}), {1});
       },
       {"cross_entropy", "(2, 3)", "1 targets"}},
      {[&] { cross_entropy(v({6}), {1}); }, {"cross_entropy", "(6)"}},
      {[&] {
         cross_entropy(v({2, 3}), {1, 3});
       },
       {"cross_entropy", "target 3", "row 1", "0 .. 2"}},
      {[&] {
         cross_entropy(v({2, 3}), {-1, 1});
       },
       {"cross_entropy", "target -1", "row 0"}},
      {[&] {
         cross_entropy(v({2, 3}), {1, 1}, {1.0});
       },
       {"cross_entropy", "smoothing"}},
      {[&] {
         Random r;
         dropout(v({2}), 1, r);
       },
       {"dropout", "1"}},
      {[&] {
         Shape({1, 2, 3, 4, 5});
       },
       {"5 axes"}},
      {[&] { Array({2}, std::vector<Real>{1}); }, {"(2)", "got 1"}},
  };
  for (const auto& [f, parts] : wrong) {
    INFO(parts.front() << " " << parts.back());
    try {
      f();
      FAIL("no error");
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      for (const std::string& part : parts) {
        INFO(message << " lacks " << part);
        CHECK(message.find(part) != std::string::npos);
      }
    }
  }
}
