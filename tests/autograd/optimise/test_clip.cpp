// The global norm of gradients, and clipping to it, for dense, sparse and shared gradients.

#include <cmath>
#include <limits>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/optimise/clip.h"
#include "autograd/threads/openmp.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;

void zero(Array& a, Random&) { a.fill(0); }

}  // namespace

// Pascanu et al. 2013, algorithm 1.
TEST_CASE("clip: the norm covers all parameters, and larger norms are scaled to the limit") {
  Params params(Random(1));
  const Var a = params.declare("a", {2}, zero), b = params.declare("b", {1}, zero),
            none = params.declare("none", {9}, zero);
  a.add_grad(Array({2}, {3, 0}));
  b.add_grad(Array({1}, 4));
  CHECK(global_norm(params) == Approx(5));
  CHECK(clip_by_global_norm(params, 5) == Approx(5));
  CHECK(a.grad()[0] == 3);
  CHECK(clip_by_global_norm(params, 0) == Approx(5));
  CHECK(a.grad()[0] == 3);
  CHECK(clip_by_global_norm(params, 1) == Approx(5));
  CHECK(a.grad()[0] == Approx(0.6));
  CHECK(b.grad()[0] == Approx(0.8));
  CHECK(global_norm(params) == Approx(1));
  CHECK_FALSE(none.grad().defined());
}

TEST_CASE("clip: the norm without gradients is 0") {
  Params params(Random(1));
  params.declare("a", {2}, zero);
  CHECK(clip_by_global_norm(params, 1) == 0);
}

TEST_CASE("clip: duplicate rows of a sparse gradient are summed before the norm, and the gradient stays sparse") {
  Params params(Random(1));
  const Var table = params.declare("table", {5, 2}, zero);
  add_row_grad(table, {1, 4, 1}, Array({3, 2}, {1, 0, 0, 4, 2, 0}));
  CHECK(clip_by_global_norm(params, 2.5) == Approx(5));  // the rows are (3, 0) and (0, 4)
  CHECK(grad_is_sparse(table));
  CHECK(touched_rows(table) == Ids{1, 4});
  CHECK(compare::same_bits(table.grad(), Array({5, 2}, {0, 0, Real(1.5), 0, 0, 0, 0, 0, 0, 2})));
}

TEST_CASE("clip: two parameters that share one gradient array are each scaled once") {
  Params params(Random(1));
  const Var a = params.declare("a", {2}, zero), b = params.declare("b", {2}, zero);
  backward(sum((a + b) * constant(Array({2}, {3, 4}))));
  REQUIRE(a.grad().shares_memory_with(b.grad()));
  CHECK(clip_by_global_norm(params, 1) == Approx(std::sqrt(50)));
  for (const Var& v : {a, b}) {
    CHECK(v.grad()[0] == Approx(3 / std::sqrt(50)));
    CHECK(v.grad()[1] == Approx(4 / std::sqrt(50)));
  }
}

TEST_CASE("clip: a norm that is not finite is returned, and gradients stay unchanged") {
  for (const Real bad : {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    Params params(Random(1));
    const Var a = params.declare("a", {2}, zero);
    a.add_grad(Array({2}, {bad, 3}));
    CHECK_FALSE(std::isfinite(clip_by_global_norm(params, 1)));
    CHECK(a.grad()[1] == 3);
  }
}

TEST_CASE("clip: the norm is finite even if squares overflow float") {
  Params params(Random(1));
  const Var a = params.declare("a", {2}, zero);
  a.add_grad(Array({2}, {Real(3e30), Real(4e30)}));
  CHECK(clip_by_global_norm(params, 1) == Approx(5e30));
  CHECK(a.grad()[1] == Approx(0.8));
}

TEST_CASE("clip: the number of threads changes no bit of the norm") {
  Params params(Random(1));
  const Var a = params.declare("a", {100003}, zero), table = params.declare("table", {3000, 50}, zero);
  Random random(2);
  a.add_grad(compare::random_array({100003}, random));
  Ids rows;
  for (Id i = 0; i < 2000; ++i) rows.push_back(static_cast<Id>(random.below(3000)));
  add_row_grad(table, rows, compare::random_array({2000, 50}, random));
  double expected = 0;
  for (const Var& v : {a, table}) {
    const Array gradient = v.grad();
    for (const Real g : gradient.span()) expected += static_cast<double>(g) * static_cast<double>(g);
  }
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const double one = global_norm(params);
  omp_set_num_threads(3);
  const double three = global_norm(params);
  omp_set_num_threads(before);
  CHECK(one == three);
  CHECK(one == Approx(std::sqrt(expected)).epsilon(1e-12));
}
