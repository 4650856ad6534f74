// These tests check the computation graph: how gradients accumulate, what is freed, what is refused.
#include <functional>
#include <utility>

#include "autograd/memory.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;
using compare::random_array;
using compare::relative_error;
using compare::same_bits;

const double tight = sizeof(Real) == 8 ? 1e-12 : 1e-5;

}  // namespace

TEST_CASE("rows of an array are a part of its first dimension") {
  const Array x({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(same_bits(x.rows(1, 3), Array({2, 2}, {3, 4, 5, 6})));
  CHECK(x.rows(2, 2).size() == 0);
  CHECK_THROWS_WITH(x.rows(2, 1), "rows: [2, 1) is outside (3, 2)");
  CHECK_THROWS_WITH(x.rows(0, 4), "rows: [0, 4) is outside (3, 2)");
}

TEST_CASE("var: a gradient is summed over every use") {
  const Var x = variable(Array({2}, {3, -2}));
  backward(sum(x * x + x * Real(5) + x));
  CHECK(same_bits(x.grad(), Array({2}, {12, 2})));  // 2x + 6
}

TEST_CASE("var: the backward pass visits a shared subgraph once, after all of its uses") {
  const Var x = variable(Array({1}, 2));
  Var shared = x * Real(1);
  std::size_t walked = 0;
  shared = Var("counted", shared.value(), {shared}, [shared, &walked](const Array& dy, const Array&) {
    ++walked;
    shared.add_grad(dy);
  });
  const Var late = square(shared);  // younger than the product below, which uses `shared` again
  backward(sum(late * shared + late));
  CHECK(walked == 1);
  CHECK(x.grad()[0] == 16);  // (x^3 + x^2)' = 3 x^2 + 2 x
}

TEST_CASE("var: the backward pass takes linear time in a graph whose paths double at each level") {
  const Var x = variable(Array({1}, 1));
  Var y = x;
  for (int i = 0; i < 100; ++i) y = y * Real(0.5) + y * Real(0.5);
  backward(sum(y));
  CHECK(x.grad()[0] == 1);
}

TEST_CASE("var: gradients of two graphs accumulate until they are cleared") {
  const Var x = variable(Array({1}, 3));
  backward(sum(square(x)));
  backward(sum(x * Real(4)));
  CHECK(x.grad()[0] == 10);
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("var: detach and constants stop the gradient, and NoGrad records nothing") {
  const Var x = variable(Array({1}, 3));
  const Var y = x * detach(x);
  backward(sum(y));
  CHECK(x.grad()[0] == 3);
  CHECK_FALSE(detach(x).needs_grad());
  CHECK_FALSE((constant(Array({1}, 1)) * constant(Array({1}, 2))).needs_grad());

  CHECK(recording());
  {
    const NoGrad outer;
    {
      const NoGrad inner;
      CHECK_FALSE(recording());
    }
    CHECK_FALSE(recording());
    const Var z = x * x;
    CHECK_FALSE(z.needs_grad());
    CHECK_THROWS_AS(backward(sum(z)), std::invalid_argument);
  }
  CHECK(recording());
}

TEST_CASE("var: a chain of 20,000 ops uses no recursion forward, backward or when it is freed") {
  const std::size_t before = array_bytes().now;
  {
    const Var x = variable(Array({1}, 1));
    Var y = x;
    for (int i = 0; i < 20000; ++i) y = y + Real(1);
    backward(sum(y));
    CHECK(x.grad()[0] == 1);
    for (int i = 0; i < 20000; ++i) y = y + x;
    y = Var();  // no backward pass reaches this graph
  }
  CHECK(array_bytes().now == before);
}

TEST_CASE("var: backward frees the graph during the pass") {
  const std::size_t n = 1 << 16, bytes = n * sizeof(Real);
  const Var x = variable(Array({n}, 1));
  const std::size_t before = array_bytes().now;
  std::size_t at_the_end = 0;
  {
    Var y("watch", x.value(), {x}, [x, &at_the_end](const Array& dy, const Array&) {
      at_the_end = array_bytes().now;
      x.add_grad(dy);
    });
    for (int i = 0; i < 50; ++i) y = tanh(y);
    CHECK(array_bytes().now - before >= 50 * bytes);
    backward(sum(std::exchange(y, Var())));
  }
  // Three arrays remain: the gradient, the previous node and its value. The other 47 steps are freed.
  CHECK(at_the_end - before <= 3 * bytes);
  CHECK(array_bytes().now - before <= bytes);
}

TEST_CASE("var: no op keeps its own output alive") {
  const std::size_t before = array_bytes().now;
  {
    const Var x = variable(Array({64, 64}, 1));
    const Var y = matmul(tanh(x), transpose(sigmoid(x))) + exp(x) / square(x);
    const Var z = sum(concat({slice(y, 0, 1, 5), gather(y, {1, 1})}, 0));
    CHECK(z.needs_grad());
  }
  CHECK(array_bytes().now == before);
}

TEST_CASE("var: a second backward through a freed graph or a part of it is an error") {
  const Var x = variable(Array({1}, 3));
  const Var middle = square(x);
  const Var y = sum(middle);
  backward(y);
  CHECK_THROWS_WITH(backward(y), Catch::Contains("earlier backward"));
  CHECK_THROWS_WITH(backward(sum(middle * Real(2))), Catch::Contains("earlier backward"));
  CHECK(x.grad()[0] == 6);
}

TEST_CASE("var: backward and handles refuse invalid calls") {
  CHECK_THROWS_WITH(backward(variable(Array({2}, 1)) * Real(2)), Catch::Contains("(2)"));
  CHECK_THROWS_WITH(backward(constant(Array({}, 1))), Catch::Contains("does not depend"));
  CHECK_THROWS_WITH(Var().value(), Catch::Contains("undefined"));
  CHECK_FALSE(Var().defined());
  CHECK_FALSE(Var().needs_grad());
  CHECK_THROWS_WITH(variable(Array({2, 3}, 1)).add_grad(Array({4}, 1)),
                    Catch::Contains("(4)") && Catch::Contains("(2, 3)"));
  CHECK_THROWS_WITH(variable(Array({2, 3}, 1)).add_grad(Array({3}, 1)),
                    Catch::Contains("(3)") && Catch::Contains("(2, 3)"));
}

TEST_CASE("var: gradients that share an array are separated when one accumulates") {
  const Var a = variable(Array({2}, 1)), b = variable(Array({2}, 1));
  const Var y = a + b;  // both inputs receive the same dy
  backward(sum(y));
  CHECK(a.grad().shares_memory_with(b.grad()));
  a.add_grad(Array({2}, 5));
  CHECK(same_bits(a.grad(), Array({2}, 6)));
  CHECK(same_bits(b.grad(), Array({2}, 1)));

  const Array g({2}, 7);
  const Var c = variable(Array({2}, 0)), d = variable(Array({2}, 0)), e = variable(Array({2}, 0));
  for (const Var& v : {c, d, e}) v.add_grad(g);
  c.grad_slot().array[0] = 1;
  d.zeroed_grad()[0] = 2;
  add_row_grad(e, {0}, Array({1}, 3));
  CHECK(same_bits(g, Array({2}, 7)));
  CHECK(same_bits(c.grad(), Array({2}, {1, 7})));
  CHECK(same_bits(d.grad(), Array({2}, {2, 7})));
  CHECK(same_bits(e.grad(), Array({2}, {10, 7})));
}

TEST_CASE("var: views of one array have separate gradients") {
  const Var x = variable(Array({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  const Var top = slice(x, 0, 0, 3), bottom = slice(x, 0, 1, 4), flat = reshape(x, {8});
  CHECK(top.value().shares_memory_with(flat.value()));
  backward(sum(top) + sum(bottom * Real(10)) + sum(square(flat)));
  CHECK(same_bits(x.grad(), Array({4, 2}, {3, 5, 17, 19, 21, 23, 24, 26})));
}

TEST_CASE("var: lookups give a row-sparse gradient, with repeated rows once") {
  const Var table = variable(Array({5, 2}, 1));
  backward(sum(gather(table, {3, 1, 3})) + sum(gather(table, {1})));
  REQUIRE(grad_is_sparse(table));
  CHECK(touched_rows(table) == Ids{1, 3});
  CHECK(same_bits(table.grad(), Array({5, 2}, {0, 0, 2, 2, 0, 0, 2, 2, 0, 0})));

  CHECK(grad_is_sparse(table));  // the stored gradient stays sparse; grad() returns a dense copy
  table.zero_grad();
  CHECK(touched_rows(table).empty());
  backward(sum(gather(table, {0})));
  CHECK(grad_is_sparse(table));
  CHECK(touched_rows(table) == Ids{0});
  CHECK(same_bits(table.grad(), Array({5, 2}, {1, 1, 0, 0, 0, 0, 0, 0, 0, 0})));
}

TEST_CASE("var: a table with a dense use as well gets a dense gradient, in either order") {
  const Array expected({3, 1}, {1, 3, 1});
  for (const bool dense_first : {true, false}) {
    const Var table = variable(Array({3, 1}, 1));
    const Var dense = dense_first ? sum(gather(table, {1, 1})) : sum(table);  // the older is visited last
    const Var other = dense_first ? sum(table) : sum(gather(table, {1, 1}));
    backward(dense + other);
    CHECK_FALSE(grad_is_sparse(table));
    CHECK(same_bits(table.grad(), expected));
    table.zero_grad();
    CHECK_FALSE(table.grad().defined());
    backward(sum(gather(table, {2})));
    CHECK(grad_is_sparse(table));
    CHECK(touched_rows(table) == Ids{2});
    CHECK(same_bits(table.grad(), Array({3, 1}, {0, 0, 1})));
  }
}

TEST_CASE("var: a gradient has more than the lookup's rows if products are pending") {
  const Var table = variable(Array({3, 2}, 1)), x = constant(Array({1, 3}, 1));
  const Var y = matmul(x, table), other = matmul(x, table);
  backward(sum(gather(table, {1})));
  CHECK(grad_is_sparse(table));
  backward(sum(y));
  CHECK_FALSE(grad_is_sparse(table));
  backward(sum(other));
  CHECK(same_bits(table.grad(), Array({3, 2}, {2, 2, 3, 3, 2, 2})));
}

TEST_CASE("var: a table without rows accepts a lookup without ids") {
  const Var table = variable(Array({0, 3}, Real(0)));
  backward(sum(gather(table, {})));
  table.zero_grad();
  CHECK(touched_rows(table).empty());
}

namespace {

// The gradient of three steps h' = tanh(x W + h U), where U is W. `tied` adds other uses of W.
Array step_gradient(const std::function<Var(const Var&)>& used, const Array& W_value, bool tied,
                    std::size_t unused_steps, bool twice) {
  Random random(3);
  const Var W = variable(W_value);
  std::vector<Var> xs;
  for (int t = 0; t < 3; ++t) xs.push_back(constant(random_array({4, 5}, random)));
  for (int round = 0; round < (twice ? 2 : 1); ++round) {
    const Var W_used = used(W);
    Var h = constant(Array({4, 5}, 0));
    for (const Var& x : xs) h = tanh(matmul(x, W_used) + matmul(h, W_used));
    for (std::size_t i = 0; i < unused_steps; ++i) matmul(h, W_used);
    Var loss = sum(square(h));
    if (tied) loss = loss + sum(W_used * W_used) + sum(matmul_transposed(h, W_used)) + sum(W);
    backward(loss);
  }
  return W.grad();
}

}  // namespace

TEST_CASE("var: products of a leaf that are collected over a graph equal single products in their gradient") {
  Random random(8);
  const Array W = random_array({5, 5}, random, 0.3);
  for (const bool tied : {false, true})
    for (const std::size_t unused : {0, 2})
      for (const bool twice : {false, true}) {
        INFO("tied " << tied << ", unused " << unused << ", twice " << twice);
        const auto one_by_one = [](const Var& w) { return w * Real(1); };  // not a leaf
        const Array direct = step_gradient(one_by_one, W, tied, unused, twice);
        const Array collected = step_gradient([](const Var& w) { return w; }, W, tied, unused, twice);
        CHECK(relative_error(collected, direct) < tight);
      }
}

TEST_CASE("var: products of freed or alternating graphs do not wait") {
  const Var W = variable(Array({2, 2}, 1)), x = constant(Array({1, 2}, 1));
  matmul(x, W);  // this product is recorded and dropped
  const Var a = sum(matmul(matmul(x, W), W)), b = sum(matmul(x, W));
  backward(b);
  CHECK(same_bits(W.grad(), Array({2, 2}, 1)));
  backward(a);
  CHECK(same_bits(W.grad(), Array({2, 2}, 5)));
}

TEST_CASE("var: branches without a gradient leave their weights unchanged") {
  const Var W = variable(Array({2, 2}, 1)), x = variable(Array({1, 2}, 1));
  const Var unused = matmul(x, W);
  backward(sum(x * Real(2)));
  CHECK_FALSE(W.grad().defined());
  CHECK(same_bits(x.grad(), Array({1, 2}, 2)));
}
