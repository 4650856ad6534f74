// Compares kernel pooling with PyTorch, and checks properties that hold for any numbers.
#include "layers/pooling/kernel_pooling.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t M = 7, N = 9, D = 3, Dv = 2;

Var width(double w) { return variable(Array({1}, static_cast<Real>(w))); }

struct Points {
  Var x, keys, values;
};
Points random_points(std::uint64_t seed) {
  Random random(seed);
  const auto some = [&](std::size_t rows, std::size_t size) { return variable(random_array({rows, size}, random)); };
  const Var x = some(M, D), keys = some(N, D), values = some(N, Dv);
  return {x, keys, values};
}

Kernel kernel_named(const std::string& name) {
  return name == "gaussian"       ? Kernel::gaussian
         : name == "boxcar"       ? Kernel::boxcar
         : name == "epanechnikov" ? Kernel::epanechnikov
                                  : Kernel::triangular;
}
const std::vector<Kernel> kernels_known{Kernel::gaussian, Kernel::boxcar, Kernel::epanechnikov, Kernel::triangular};

}  // namespace

TEST_CASE("kernel pooling equals PyTorch in values, weights and all gradients, for every kernel") {
  const std::vector<std::string> names = golden::cases("kernel_pooling");
  CHECK(names.size() == 2 * kernels_known.size());
  for (const std::string& name : names) {
    INFO(name);
    golden::Golden g("kernel_pooling", name);
    const LeaveOneOut leave_one_out = g.fact<bool>("left_out") ? LeaveOneOut::yes : LeaveOneOut::no;
    const Kernel kernel = kernel_named(g.fact<std::string>("kernel"));
    const Pooled y = kernel_pooling(kernel, g("w"), g("x"), g("keys"), g("values"), leave_one_out);
    g.check({{"pooled", y.values}, {"weights", y.weights}});
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("kernel pooling: gradients equal central differences") {
  const Points p = random_points(1);
  for (const Kernel kernel : kernels_known)
    for (const LeaveOneOut leave_one_out : {LeaveOneOut::no, LeaveOneOut::yes}) {
      INFO("kernel " << static_cast<int>(kernel));
      const Var x = leave_one_out == LeaveOneOut::no ? p.x : p.keys;
      const GradcheckResult check = gradcheck(
          [&](const std::vector<Var>& in) {
            return kernel_pooling(kernel, in[0], x, in[1], in[2], leave_one_out).values;
          },
          {width(0.7), p.keys, p.values});
      INFO(check.report);
      CHECK(check.ok);
    }
}
#endif

TEST_CASE("a narrow kernel gives the closest value, and a wide one gives the mean") {
  const Points p = random_points(2);
  const Array near = kernel_pooling(Kernel::gaussian, width(1e4), p.x, p.keys, p.values).values.value();
  for (std::size_t m = 0; m < M; ++m) {
    std::size_t nearest = 0;
    const auto distance = [&](std::size_t n) {
      double squares = 0;
      for (std::size_t i = 0; i < D; ++i)
        squares += std::pow(static_cast<double>(p.x.value()[m * D + i] - p.keys.value()[n * D + i]), 2);
      return squares;
    };
    for (std::size_t n = 1; n < N; ++n) nearest = distance(n) < distance(nearest) ? n : nearest;
    CHECK(relative_error(near.rows(m, m + 1), p.values.value().rows(nearest, nearest + 1)) < exact);
  }
  const Array average = mean(p.values, {0}, Keep::yes).value();
  for (const Kernel kernel : kernels_known) {
    const Array wide = kernel_pooling(kernel, width(0), p.x, p.keys, p.values).values.value();
    for (std::size_t m = 0; m < M; ++m) CHECK(relative_error(wide.rows(m, m + 1), average) < exact);
  }
}

TEST_CASE("the Gaussian kernel is dot-product attention with |k|^2 / 2 taken from the scores") {
  const Points p = random_points(3);
  const Var half_squares = reshape(sum(square(p.keys), {1}), {1, N}) * Real(0.5);
  const Var alpha = softmax(matmul_transposed(p.x, p.keys) - half_squares);
  const Pooled y = kernel_pooling(Kernel::gaussian, width(1), p.x, p.keys, p.values);
  CHECK(relative_error(y.weights.value(), alpha.value()) < exact);
}

TEST_CASE("kernel pooling: rows sum to 1, and each value is between the smallest and the largest") {
  const Points p = random_points(4);
  for (const Kernel kernel : kernels_known)
    for (const double w : {0.0, 0.3, 1.0}) {
      INFO("kernel " << static_cast<int>(kernel) << ", w " << w);
      const Pooled y = kernel_pooling(kernel, width(w), p.x, p.keys, p.values);
      const Array total = sum(y.weights, {1}).value(), reached = max(y.weights, 1).value();
      for (std::size_t m = 0; m < M; ++m) {
        CHECK(static_cast<double>(total[m]) == Approx(reached[m] > 0 ? 1 : 0).margin(exact));
        if (reached[m] == 0) continue;
        for (std::size_t i = 0; i < Dv; ++i) {
          Real least = p.values.value()[i], greatest = least;
          for (std::size_t n = 1; n < N; ++n) {
            least = std::min(least, p.values.value()[n * Dv + i]);
            greatest = std::max(greatest, p.values.value()[n * Dv + i]);
          }
          CHECK(y.values.value()[m * Dv + i] >= least - Real(exact));
          CHECK(y.values.value()[m * Dv + i] <= greatest + Real(exact));
        }
      }
    }
}

TEST_CASE("kernels equal a calculation by hand at half a width, one width and two widths") {
  const Var x = constant(zeros({1, 1})), keys = constant(Array({4, 1}, {0, 0.5, -1, 2}));
  const Var values = constant(Array({4, 1}, {1, 1, 1, 1}));
  const auto weights = [&](Kernel kernel) { return kernel_pooling(kernel, width(1), x, keys, values).weights.value(); };
  const auto of_sum = [](std::vector<double> K) {
    double total = 0;
    for (const double k : K) total += k;
    Array a({1, K.size()});
    for (std::size_t i = 0; i < K.size(); ++i) a[i] = static_cast<Real>(K[i] / total);
    return a;
  };
  const auto e = [](double u) { return std::exp(-u * u / 2); };
  CHECK(relative_error(weights(Kernel::gaussian), of_sum({1, e(.5), e(1), e(2)})) < exact);
  CHECK(relative_error(weights(Kernel::boxcar), of_sum({1, 1, 1, 0})) < exact);
  CHECK(relative_error(weights(Kernel::epanechnikov), of_sum({1, .75, 0, 0})) < exact);
  CHECK(relative_error(weights(Kernel::triangular), of_sum({1, .5, 0, 0})) < exact);
}

TEST_CASE("if every kernel is 0, the pooled value and the gradients are 0") {
  const Points p = random_points(5);
  for (const Kernel kernel : {Kernel::boxcar, Kernel::epanechnikov, Kernel::triangular}) {
    const Var w = width(1e3), values = variable(p.values.value().clone());
    const Pooled y = kernel_pooling(kernel, w, p.x, p.keys, values);
    backward(sum(y.values));
    for (const Array& a : {y.values.value(), y.weights.value(), compare::gradient(w), compare::gradient(values)})
      for (const Real v : a.span()) CHECK(v == 0);
  }
}

// Fits the width to noisy points of 2 sin x + x^0.8. The test checks the sign of the slope of the squared error at a
// width that is narrow already.
TEST_CASE("a width stops shrinking if the query's own value is left out, and else it does not") {
  Random random(6);
  constexpr std::size_t points = 50;
  Array x({points, 1}), y({points, 1});
  for (std::size_t i = 0; i < points; ++i) {
    x[i] = static_cast<Real>(5 * random.uniform());
    const double at = x[i];
    y[i] = static_cast<Real>(2 * std::sin(at) + std::pow(at, 0.8) + 0.5 * random.normal());
  }
  const auto slope = [&](LeaveOneOut leave_one_out) {
    const Var w = width(30), known = constant(x);
    backward(mean(
        square(kernel_pooling(Kernel::gaussian, w, known, known, constant(y), leave_one_out).values - constant(y))));
    return w.grad()[0];
  };
  CHECK(slope(LeaveOneOut::no) < 0);
  CHECK(slope(LeaveOneOut::yes) > 0);
}

TEST_CASE("a query without its own key gives it no weight, and a learnt width begins at 1") {
  const Points p = random_points(7);
  const KernelPooling pooling(Params(Random(1)), Kernel::gaussian);
  CHECK(pooling.w.value()[0] == 1);
  const Array alpha = pooling(p.keys, p.keys, p.values, LeaveOneOut::yes).weights.value();
  for (std::size_t n = 0; n < N; ++n) CHECK(alpha[n * N + n] == 0);
}

TEST_CASE("kernel pooling refuses wrong sizes") {
  const Points p = random_points(8);
  const auto refused = [&](const Var& x, const Var& keys, const Var& values, LeaveOneOut leave_one_out) {
    CHECK_THROWS_AS(kernel_pooling(Kernel::gaussian, width(1), x, keys, values, leave_one_out), std::invalid_argument);
  };
  refused(slice(p.x, 1, 0, 2), p.keys, p.values, LeaveOneOut::no);
  refused(p.x, p.keys, slice(p.values, 0, 0, 3), LeaveOneOut::no);
  refused(p.x, p.keys, reshape(p.values, {p.values.value().size()}), LeaveOneOut::no);
  refused(p.x, p.keys, p.values, LeaveOneOut::yes);
}
