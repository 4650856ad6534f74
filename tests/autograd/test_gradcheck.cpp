// Tests gradcheck itself. It must accept correct rules, and report wrong ones with their position.
#include "autograd/gradcheck.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;
using Inputs = std::vector<Var>;

void normal(Array& a, Random& r) {
  for (Real& v : a.span()) v = static_cast<Real>(r.normal());
}

// y = x^2 with dx = factor 2 x dy, which is wrong unless the factor is 1. With `only`, just that element is wrong.
Var square_with_gradient(const Var& x, Real factor, std::size_t only = SIZE_MAX) {
  return Var("wrong", square(x).value(), {x}, [=](const Array& dy, const Array&) {
    Array dx(dy.shape());
    for (std::size_t i = 0; i < dx.size(); ++i)
      dx[i] = 2 * x.value()[i] * dy[i] * (only == SIZE_MAX || only == i ? factor : Real(1));
    x.add_grad(dx);
  });
}

}  // namespace

TEST_CASE("gradcheck: correct rules pass, and the inputs are restored") {
  Random random(1);
  const Var x = variable(compare::random_array({3, 4}, random)), W = variable(compare::random_array({4, 2}, random));
  const Array before = x.value().clone();
  const auto check = gradcheck([](const Inputs& v) { return tanh(matmul(v[0], v[1])); }, {x, W});
  CHECK(check.ok);
  CHECK(check.checked == 20);
  CHECK(check.report.empty());
  CHECK(check.worst < (sizeof(Real) == 8 ? 1e-8 : 2e-2));
  CHECK(compare::same_bits(x.value(), before));
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("gradcheck: the error for a wrong rule gives the element, and the analytic and numeric gradients") {
  const Var fine = variable(Array({2}, {1, 2})), x = variable(Array({2, 3}, {1, -2, 3, -4, 5, -6}));
  const double slightly = sizeof(Real) == 8 ? 1.00001 : 1.1;
  const auto check = gradcheck(
      [=](const Inputs& v) { return sum(square(v[0])) + square_with_gradient(v[1], static_cast<Real>(slightly), 4); },
      {fine, x});
  CHECK_FALSE(check.ok);
  CHECK(check.worst == Approx(slightly - 1).epsilon(0.15));
  CHECK_THAT(check.report, Catch::Contains("1 of 8") && Catch::Contains("input 1 (2, 3) at 4") &&
                               Catch::Contains("analytic") && Catch::Contains("numeric"));

  CHECK_FALSE(gradcheck([](const Inputs& v) { return square_with_gradient(v[0], -1); }, {x}).ok);
  CHECK_FALSE(gradcheck([](const Inputs& v) { return square_with_gradient(v[0], 0); }, {x}).ok);
  CHECK_FALSE(gradcheck([](const Inputs& v) { return square_with_gradient(v[0], NAN); }, {x}).ok);
  CHECK_FALSE(gradcheck([](const Inputs& v) { return square(detach(v[0])); }, {x}).ok);
}

TEST_CASE("gradcheck: gradients of zero and of a wide range are judged correctly") {
  const Var x = variable(Array({4}, {Real(1e-3), 1, 30, -7}));
  CHECK(gradcheck([](const Inputs& v) { return square(v[0]); }, {x}).ok);
  CHECK(gradcheck([](const Inputs& v) { return v[0] - v[0]; }, {x}).ok);
  CHECK(gradcheck([](const Inputs& v) { return detach(v[0]) * Real(0); }, {x}).ok);
}

TEST_CASE("gradcheck: parameters are checked by name, dense or sparse, completely or by a sample") {
  Params params(Random(2));
  const Var table = (params / "embedding").declare("E", {50, 3}, normal), W = params.declare("W", {3, 2}, normal);
  const auto f = [&] { return tanh(matmul(gather(table, {7, 7, 30}), W)); };
  const auto all = gradcheck(params, f);
  INFO(all.report);
  CHECK(all.ok);
  CHECK(all.checked == 156);
  CHECK(gradcheck(params, f, {.samples = 10}).checked == 16);

  const auto wrong = gradcheck(params,
                               [&] {
                                 return square_with_gradient(gather(table, {7, 7, 30}), 2);
                               },
                               {.samples = 10});
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.report, Catch::Contains("embedding/E (50, 3) at"));
}

TEST_CASE("gradcheck: it refuses invalid inputs") {
  const Var x = variable(Array({2}, 1));
  Random random(1);
  CHECK_THROWS_WITH(gradcheck([&](const Inputs& v) { return v[0] * static_cast<Real>(random.normal()); }, {x}),
                    Catch::Contains("two calls"));
  CHECK_THROWS_WITH(gradcheck([](const Inputs& v) { return v[0]; }, {constant(Array({2}, 1))}),
                    Catch::Contains("variable()"));
}
