// LeafWatch reports when the gradient of a leaf is complete: once per leaf, after its last use and before the backward
// pass ends.
#include "autograd/leaf_watch.h"

#include <string>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;

namespace {

struct Named {
  std::string name;
  Var var;
};

// The leaves of the loss in the order in which backward completes their gradients. The test checks that no gradient
// changes later.
std::vector<std::string> order_of(const Var& loss, const std::vector<Named>& leaves) {
  std::vector<std::string> order;
  std::vector<Array> gradients;
  {
    const LeafWatch watch([&](const Var& leaf) {
      CHECK_FALSE(own_gradient(*leaf.node()).waits());
      for (const Named& named : leaves)
        if (named.var.node() == leaf.node()) order.push_back(named.name), gradients.push_back(leaf.grad().clone());
    });
    backward(loss);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Named& named : leaves)
      if (named.name == order[i]) CHECK(compare::same_bits(named.var.grad(), gradients[i]));
  return order;
}

}  // namespace

TEST_CASE("leaf watch: weights of a loop are done after its first step, and weights after the loop are done earlier") {
  const Named x{"x", variable(Array({2, 3}, Real(0.5)))}, W{"W", variable(Array({3, 3}, Real(0.25)))},
      V{"V", variable(Array({3, 2}, Real(0.5)))};
  Var h = x.var;
  for (int step = 0; step < 3; ++step) h = tanh(matmul(h, W.var));
  const Var y = matmul(h, V.var);
  CHECK(order_of(sum(square(y)), {x, W, V}) == std::vector<std::string>{"V", "x", "W"});
}

TEST_CASE("leaf watch: a leaf that one op or two ops use twice is done once") {
  const Named x{"x", variable(Array({2}, {2, 3}))}, y{"y", variable(Array({2}, {4, 5}))};
  const Var late = x.var * x.var;
  CHECK(order_of(sum(tanh(late) * y.var + y.var), {x, y}) == std::vector<std::string>{"y", "x"});
}

TEST_CASE("leaf watch: it does not wait for products that the loss does not reach") {
  const Named x{"x", variable(Array({2, 3}, Real(0.5)))}, W{"W", variable(Array({3, 3}, Real(0.25)))};
  const Var used = matmul(x.var, W.var), unused = matmul(x.var, W.var);
  CHECK(order_of(sum(square(used)), {x, W}) == std::vector<std::string>{"x", "W"});
  CHECK(W.var.grad()[0] == Approx(2 * 2 * 0.375 * 0.5));
}

TEST_CASE("leaf watch: it does not report constants, leaves elsewhere or anything after its end") {
  const Named x{"x", variable(Array({2}, 1))}, other{"other", variable(Array({2}, 1))};
  CHECK(order_of(sum(x.var * constant(Array({2}, 3))), {x, other}) == std::vector<std::string>{"x"});
  std::size_t told = 0;
  {
    const LeafWatch watch([&](const Var&) { ++told; });
  }
  backward(sum(x.var * other.var));
  CHECK(told == 0);
}
