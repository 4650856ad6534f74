// These tests check what remains after a backward pass.
#include "autograd/var.h"

#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;
using compare::same_bits;

TEST_CASE("backward: an exception in a rule leaves nothing for the next backward pass") {
  const Var x = variable(Array({2}, {1, 2})), W = variable(Array({2, 2}, 1));
  const auto bad = [](const Var& y) {
    return Var("bad", y.value(), {y}, [](const Array&) { throw std::runtime_error("bad"); });
  };
  const Var kept = x * Real(3);
  CHECK_THROWS_WITH(backward(sum(kept + bad(x * Real(2)))), "bad");
  x.zero_grad();
  backward(sum(kept));
  CHECK(same_bits(x.grad(), Array({2}, 3)));

  const Var h = constant(Array({1, 2}, 1));
  CHECK_THROWS_WITH(backward(sum(matmul(bad(matmul(h, W)), W))), "bad");
  W.zero_grad();
  backward(sum(matmul(h, W)));
  CHECK(same_bits(W.grad(), Array({2, 2}, 1)));
}

TEST_CASE("backward: it starts from an output of any shape if the output's gradient is given") {
  const Var x = variable(Array({3}, {1, 2, 3}));
  backward(square(x), Array({3}, {1, 10, 100}));
  CHECK(same_bits(x.grad(), Array({3}, {2, 40, 600})));
  CHECK_THROWS_WITH(backward(square(x), Array({2}, 1)), Catch::Contains("(2)") && Catch::Contains("(3)"));
}

TEST_CASE("backward: it stops where no gradient arrives") {
  const Var x = variable(Array({2, 3}, 1)), W = variable(Array({3, 4}, 1)), b = variable(Array({4}, 1));
  backward(sum(fused::output_cross_entropy(x * Real(2), W, b, {0, 0}, 0, 0)));  // both targets are padding
  for (const Var& each : {x, W, b}) CHECK_FALSE(each.grad().defined());
}

TEST_CASE("backward: losses of constants equal those of variables, and nothing is kept for a backward pass") {
  const Array x({2, 3}, {1, 2, 3, 4, 5, 6}), W({3, 4}, Real(0.5)), b({4}, {0, 1, 2, 3});
  const Var learnt = fused::output_cross_entropy(variable(x), variable(W), variable(b), {1, 2}, 0, -1);
  const Var fixed = fused::output_cross_entropy(constant(x), constant(W), constant(b), {1, 2}, 0, -1);
  CHECK_FALSE(fixed.needs_grad());
  for (std::size_t i = 0; i < 2; ++i) CHECK(fixed.value()[i] == Approx(learnt.value()[i]));
}

TEST_CASE("backward: a leaf that is the loss accumulates its gradient like other leaves") {
  const Var x = variable(Array({}, 5));
  backward(x);
  backward(x);
  CHECK(x.grad().item() == 2);
}

TEST_CASE("backward: a second backward pass over a freed graph leaves no gradient in it") {
  const Var x = variable(Array({}, 5)), y = square(x);
  backward(y);
  CHECK_THROWS_AS(backward(y), std::invalid_argument);
  CHECK_FALSE(y.grad().defined());
}

TEST_CASE("backward: the rest of a freed graph is no leaf and keeps its value when its weight changes") {
  const Var W = variable(Array({20, 20}, 1)), x = constant(Array({20, 20}, 1));
  const Var V = reshape(W, {20, 20});
  backward(sum(V));
  for (int i = 0; i < 3; ++i) CHECK(matmul(x, V).value()[0] == 20);
  W.mutable_value().fill(2);
  for (int i = 0; i < 3; ++i) CHECK(matmul(x, V).value()[0] == 40);
}
