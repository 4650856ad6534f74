// The memory of a temporary is freed once no rule will read it. Values that may still be read are kept.
#include <limits>

#include "autograd/anomaly_detection.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;

struct Fixture {
  Var x = variable(Array({2, 3}, {1, -2, 3, -4, 5, -6}));
  Var W = variable(Array({3, 2}, {.1f, .2f, -.3f, .4f, .5f, -.6f}));
  Var c = constant(Array({2, 2}, 2));

  // Whether the memory of the product x W is free once `op` has taken the product as a temporary.
  template <class Op>
  bool gives_back(const Op& op) const {
    Var product = matmul(x, W);
    const std::weak_ptr<const void> memory = product.value().memory();
    const Var y = op(std::move(product));
    return memory.expired();
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "numbers given back: of a temporary, what no rule reads") {
  CHECK(gives_back([](Var v) { return relu(std::move(v)); }));
  CHECK(gives_back([](Var v) { return tanh(std::move(v)); }));
  CHECK(gives_back([](Var v) { return max(std::move(v), 1); }));
  CHECK(gives_back([](Var v) { return std::move(v) + Real(1); }));
  CHECK(gives_back([](Var v) { return Real(2) * std::move(v); }));
  CHECK(gives_back([&](Var v) { return c + std::move(v); }));
  CHECK(gives_back([&](Var v) { return std::move(v) - c; }));
  CHECK(gives_back([&](Var v) { return std::move(v) + c; }));
  CHECK(gives_back([&](Var v) { return std::move(v) * c; }));
  CHECK(gives_back([&](Var v) { return c * std::move(v); }));
  CHECK(gives_back([](Var v) {
    Random random(1);
    return dropout(std::move(v), .5, random);
  }));
  CHECK(gives_back([](Var v) {
    return rotary(reshape(std::move(v), {2, 1, 2}), Array({2, 1}, 1), Array({2, 1}, Real(0)));
  }));
}

TEST_CASE_METHOD(Fixture, "numbers given back: not what a rule reads, somebody holds or looks at") {
  CHECK_FALSE(gives_back([](Var v) { return square(std::move(v)); }));  // the rule of square reads its input
  const Var other = variable(Array({2, 2}, 3));
  CHECK_FALSE(gives_back([&](Var v) { return std::move(v) * other; }));
  CHECK_FALSE(gives_back([&](Var v) { return other * std::move(v); }));
  Var held;
  CHECK_FALSE(gives_back([&](Var v) {
    held = v;
    return relu(std::move(v));
  }));
  CHECK(compare::same_bits(held.value(), matmul(x, W).value()));

  Var y = tanh(x);  // the rule of tanh reads its output
  const std::weak_ptr<const void> memory = y.value().memory();
  const Var z = y + Real(1), kept = std::move(y) * Real(2);
  CHECK_FALSE(memory.expired());

  const AnomalyDetection watch;
  CHECK_FALSE(gives_back([](Var v) { return relu(std::move(v)); }));
}

TEST_CASE_METHOD(Fixture, "numbers given back: gradients are those of numbers that stay") {
  const auto loss = [&](bool hold) {
    Random random(3);
    std::vector<Var> held;
    const auto next = [&](Var v) {
      if (hold) held.push_back(v);
      return v;
    };
    Var v = next(matmul(x, W));
    v = next(relu(std::move(v)));
    v = next(std::move(v) * c);
    v = next(std::move(v) - Real(.5));
    v = next(dropout(std::move(v), .3, random));
    v = next(c - std::move(v));
    v = next(reshape(std::move(v), {4}));
    backward(sum(square(sigmoid(std::move(v)))));
    const std::vector<Array> gradients{x.grad(), W.grad()};
    x.zero_grad(), W.zero_grad();
    return gradients;
  };
  const std::vector<Array> given = loss(false), held = loss(true);
  for (std::size_t i = 0; i < given.size(); ++i) CHECK(compare::same_bits(given[i], held[i]));
  CHECK(given[1][0] != 0);
}

TEST_CASE_METHOD(Fixture,
                 "numbers given back: who begins to look for bad ones afterwards is told the names of the rest") {
  constexpr Real huge = std::numeric_limits<Real>::max();
  const Var loss = sum(matmul(x, W) * huge);
  const AnomalyDetection watch;
  backward(loss, Array(loss.shape(), huge));  // the product's gradient is infinite, and its value has been freed
  REQUIRE(watch.found());
  CHECK_THAT(describe(*watch.found(), Params(Random(1))),
             Catch::Matchers::Contains("op scale, backwards: the gradient of matmul"));
}
