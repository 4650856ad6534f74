// Compares each optimiser with its recurrence for one weight, checks that it reaches a minimum, and compares sparse
// with dense gradients.

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/threads/openmp.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;
using compare::random_array;
using compare::same_bits;

const double tight = sizeof(Real) == 8 ? 1e-12 : 2e-5;

void normal(Array& a, Random& r) {
  for (Real& v : a.span()) v = static_cast<Real>(r.normal());
}

// One step of a single weight w with gradient g and learning rate r. Each function keeps the state of its optimiser.
using Scalar = std::function<double(double w, double g, double r)>;

Scalar written_out(const OptimiserOptions& o) {
  if (o.kind == OptimiserKind::sgd)
    return [=, v = 0.0](double w, double g, double r) mutable {
      v = o.momentum * v + g + o.weight_decay * w;
      return w - r * v;
    };
  const double epsilon = o.epsilon > 0 ? o.epsilon : o.kind == OptimiserKind::adadelta ? 1e-6 : 1e-8;
  if (o.kind == OptimiserKind::adadelta)
    return [=, G = 0.0, D = 0.0](double w, double g, double r) mutable {
      g += o.weight_decay * w;
      G = 0.95 * G + 0.05 * g * g;
      const double d = std::sqrt(D + epsilon) / std::sqrt(G + epsilon) * g;
      D = 0.95 * D + 0.05 * d * d;
      return w - r * d;
    };
  return [=, m = 0.0, v = 0.0, t = 0](double w, double g, double r) mutable {
    ++t;
    if (o.kind == OptimiserKind::adamw) w -= r * o.weight_decay * w;
    else g += o.weight_decay * w;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    const double m_hat = m / (1 - std::pow(0.9, t)), v_hat = v / (1 - std::pow(0.999, t));
    return w - r * m_hat / (std::sqrt(v_hat) + epsilon);
  };
}

std::vector<OptimiserOptions> all_options() {
  std::vector<OptimiserOptions> all;
  for (const auto& [kind_name, kind] : names_of(OptimiserKind{}))
    for (const double decay : {0.0, 0.1}) all.push_back({.kind = kind, .weight_decay = decay});
  for (const OptimiserKind kind : {OptimiserKind::adam, OptimiserKind::adadelta})
    all.push_back({.kind = kind, .epsilon = 0.01});
  all.push_back({.kind = OptimiserKind::sgd, .momentum = 0.9});
  all.push_back({.kind = OptimiserKind::sgd, .momentum = 0.5, .weight_decay = 0.01});
  return all;
}

std::string name(const OptimiserOptions& o) {
  return std::string(name_of(o.kind)) + ", momentum " + std::to_string(o.momentum) + ", decay " +
         std::to_string(o.weight_decay);
}

// The weights and the state after `steps` steps on a (rows, 3) table. The gradients of the given rows are row-sparse or
// dense.
struct Trained {
  Array w;
  std::vector<NamedArray> state;
};
Trained train_table(const OptimiserOptions& options, bool sparse, const std::vector<Ids>& rows_of_step) {
  Params params(Random(1));
  const Var w = params.declare("table", {6, 3}, normal);
  Optimiser optimiser(params, options);
  Random random(2);
  for (const Ids& rows : rows_of_step) {
    const Array g = random_array({rows.size(), 3}, random);
    if (sparse) {
      add_row_grad(w, rows, g);
    } else {
      Array whole = zeros({6, 3});
      for (std::size_t i = 0; i < g.size(); ++i) whole[static_cast<std::size_t>(rows[i / 3]) * 3 + i % 3] += g[i];
      w.add_grad(whole);
    }
    REQUIRE(grad_is_sparse(w) == sparse);
    optimiser.step(1);
  }
  return {w.value(), optimiser.state()};
}

}  // namespace

// Zeiler 2012, algorithm 1; Kingma & Ba 2015, algorithm 1; Loshchilov & Hutter 2019, algorithm 2.
TEST_CASE("optimiser: each optimiser follows its recurrence") {
  const std::size_t n = 37, steps = 25;
  for (const OptimiserOptions& options : all_options()) {
    INFO(name(options));
    Params params(Random(1));
    const Var w = params.declare("w", {n}, normal);
    std::vector<double> expected(w.value().span().begin(), w.value().span().end());
    std::vector<Scalar> scalars(n, written_out(options));
    Optimiser optimiser(params, options);
    Random random(2);
    for (std::size_t t = 0; t < steps; ++t) {
      const Array g = random_array({n}, random);
      const double rate = 0.1 / static_cast<double>(t + 1);
      for (std::size_t i = 0; i < n; ++i) expected[i] = scalars[i](expected[i], g[i], rate);
      w.add_grad(g);
      optimiser.step(rate);
      REQUIRE_FALSE(w.grad().defined());
    }
    CHECK(optimiser.steps() == steps);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(w.value()[i] == Approx(expected[i]).epsilon(tight).margin(tight));
  }
}

TEST_CASE("optimiser: each optimiser finds the solution of a least-squares problem") {
  Random random(3);
  const Array x = random_array({20, 4}, random), solution = random_array({4, 1}, random);
  const Var y = matmul(constant(x), constant(solution));
  for (const OptimiserOptions& options : std::vector<OptimiserOptions>{{.kind = OptimiserKind::sgd},
                                                                       {.kind = OptimiserKind::sgd, .momentum = 0.9},
                                                                       {.kind = OptimiserKind::adadelta},
                                                                       {.kind = OptimiserKind::adam},
                                                                       {.kind = OptimiserKind::adamw}}) {
    INFO(name(options));
    Params params(Random(4));
    const Var w = params.declare("w", {4, 1}, normal);
    Optimiser optimiser(params, options);
    double loss = 0;
    for (int t = 0; t < 3000; ++t) {
      const Var error = mean(square(matmul(constant(x), w) - y));
      loss = error.value().item();
      backward(error);
      optimiser.step(options.kind == OptimiserKind::sgd ? 0.05 : options.kind == OptimiserKind::adadelta ? 1 : 0.01);
    }
    CHECK(loss < (options.kind == OptimiserKind::adadelta
                      ? 1e-2
                      : 1e-6));  // Adadelta's steps shrink with its past steps, but not to 0
  }
}

TEST_CASE("optimiser: sparse steps equal dense ones if all rows have gradients, or with decay or momentum") {
  const std::vector<Ids> all_rows(10, Ids{4, 0, 1, 2, 3, 5, 2}), some_rows{{0, 1}, {1, 5}, {0, 0, 3}, {2}, {}, {1}};
  for (const OptimiserOptions& options : all_options()) {
    INFO(name(options));
    CHECK(compare::relative_error(train_table(options, true, all_rows).w, train_table(options, false, all_rows).w) <
          tight);
    const bool dense_rule = options.weight_decay != 0 || options.momentum != 0 || options.kind == OptimiserKind::sgd;
    const double apart =
        compare::relative_error(train_table(options, true, some_rows).w, train_table(options, false, some_rows).w);
    if (dense_rule) CHECK(apart < tight);
    else CHECK(apart > 1e-4);  // the lazy rule differs, and this test can tell them apart
  }
}

TEST_CASE("optimiser: rows without a sparse gradient keep all bits of values and state") {
  for (const auto& [kind_name, kind] : names_of(OptimiserKind{})) {
    INFO(kind_name);
    const Trained first = train_table({.kind = kind}, true, {{0, 1, 2, 3, 4, 5}});
    const Trained later = train_table({.kind = kind}, true, {{0, 1, 2, 3, 4, 5}, {1, 3}, {3}});
    const auto row_kept = [](const Array& a, const Array& b, std::size_t row) {
      return same_bits(a.rows(row, row + 1), b.rows(row, row + 1));
    };
    for (const std::size_t row : {0, 2, 4, 5}) {
      CHECK(row_kept(first.w, later.w, row));
      for (std::size_t i = 0; i < first.state.size(); ++i)
        CHECK(row_kept(first.state[i].array, later.state[i].array, row));
    }
    for (const std::size_t row : {1, 3}) CHECK_FALSE(row_kept(first.w, later.w, row));
  }
}

TEST_CASE("optimiser: lazy Adam leaves the moments of an unused row and corrects by all steps") {
  Params params(Random(1));
  const Var w = params.declare("table", {2, 1}, [](Array& a, Random&) { a.fill(1); });
  Optimiser optimiser(params, {.kind = OptimiserKind::adam});
  add_row_grad(w, {0}, Array({1, 1}, 2));
  optimiser.step(0.1);
  add_row_grad(w, {1}, Array({1, 1}, 5));
  optimiser.step(0.1);
  add_row_grad(w, {0}, Array({1, 1}, -1));
  optimiser.step(0.1);
  const double m = 0.9 * (0.1 * 2) + 0.1 * -1, v = 0.999 * (0.001 * 4) + 0.001 * 1;
  const double first = 1 - 0.1,
               step = 0.1 * m / (1 - std::pow(0.9, 3)) / (std::sqrt(v / (1 - std::pow(0.999, 3))) + 1e-8);
  CHECK(w.value()[0] == Approx(first - step).epsilon(1e-5));
  const double other = 0.1 * 0.5 / (1 - std::pow(0.9, 2)) / (std::sqrt(0.025 / (1 - std::pow(0.999, 2))) + 1e-8);
  CHECK(w.value()[1] == Approx(1 - other).epsilon(1e-5));
}

TEST_CASE("optimiser: a parameter without a gradient stays unchanged, even with decay") {
  Params params(Random(1));
  const Var used = params.declare("used", {3}, normal), unused = params.declare("unused", {3}, normal);
  const Array before = unused.value().clone();
  Optimiser optimiser(params, {.kind = OptimiserKind::adamw, .weight_decay = 0.1});
  used.add_grad(Array({3}, 1));
  optimiser.step(0.1);
  CHECK(same_bits(unused.value(), before));
}

TEST_CASE("optimiser: restored state and step count continue bit for bit") {
  for (const OptimiserOptions& options : all_options()) {
    INFO(name(options));
    const auto make = [] {
      Params p(Random(1));
      (p / "room").declare("w", {5}, normal);
      return p;
    };
    Params one = make(), two = make();
    Optimiser a(one, options), b(two, options);
    Random random(3);
    const auto step = [&](Params& p, Optimiser& o, const Array& g) {
      p.all()[0].var.add_grad(g);
      o.step(0.01);
    };
    for (int t = 0; t < 4; ++t) step(one, a, random_array({5}, random));

    const auto from = a.state(), to = b.state();
    REQUIRE(from.size() == to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      CHECK(from[i].name == to[i].name);
      Array target = to[i].array;
      std::copy_n(from[i].array.data(), target.size(), target.data());
    }
    b.set_steps(a.steps());
    std::copy_n(one.all()[0].var.value().data(), 5, two.all()[0].var.mutable_value().data());
    const Array g = random_array({5}, random);
    step(one, a, g);
    step(two, b, g);
    CHECK(same_bits(one.all()[0].var.value(), two.all()[0].var.value()));
  }
  Params params(Random(1));
  (params / "room").declare("w", {5}, normal);
  const auto state = Optimiser(params, {}).state();
  REQUIRE(state.size() == 2);
  CHECK(state[0].name == "adam/m/room/w");
  CHECK(state[1].name == "adam/v/room/w");
}

TEST_CASE("optimiser: the number of threads changes no bit") {
  const std::size_t n = 200003;
  const int before = omp_get_max_threads();
  std::vector<Array> results;
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    Params params(Random(1));
    const Var w = params.declare("w", {n}, normal);
    Optimiser optimiser(params, {.kind = OptimiserKind::adam});
    Random random(2);
    for (int t = 0; t < 2; ++t) {
      w.add_grad(random_array({n}, random));
      optimiser.step(0.1);
    }
    results.push_back(w.value());
  }
  omp_set_num_threads(before);
  CHECK(same_bits(results[0], results[1]));
  CHECK(same_bits(results[0], results[2]));
}

TEST_CASE("optimiser: it refuses invalid options") {
  Params params(Random(1));
  params.declare("w", {1}, normal);
  CHECK_THROWS_WITH(Optimiser(params, {.momentum = 1}), Catch::Contains("momentum 1"));
  CHECK_THROWS_WITH(Optimiser(params, {.rho = -0.1}), Catch::Contains("rho -0.1"));
  CHECK_THROWS_WITH(Optimiser(params, {.beta1 = 1}), Catch::Contains("beta1"));
  CHECK_THROWS_WITH(Optimiser(params, {.beta2 = NAN}), Catch::Contains("beta2"));
  CHECK_THROWS_WITH(Optimiser(params, {.epsilon = -1}), Catch::Contains("epsilon"));
  CHECK_THROWS_WITH(Optimiser(params, {.weight_decay = -1}), Catch::Contains("decay"));
  Optimiser optimiser(params, {});
  CHECK_THROWS_WITH(optimiser.step(NAN), Catch::Contains("learning rate"));
  CHECK_THROWS_WITH(optimiser.step(-1), Catch::Contains("learning rate"));
  CHECK_THROWS_WITH(optimiser.step(INFINITY), Catch::Contains("learning rate"));
  params.declare("late", {1}, normal);
  CHECK_THROWS_WITH(optimiser.step(0.1), Catch::Contains("late"));
}
