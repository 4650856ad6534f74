#include <cmath>
#include <limits>
#include <vector>

#include "autograd/ops/log_sum_exp.h"
#include "autograd/random.h"
#include "tests/catch.h"

using namespace softalign;
using autograd::Array;
using autograd::log_sum_exp;
using autograd::Random;
using autograd::Real;

namespace {
constexpr Real infinity = std::numeric_limits<Real>::infinity();
}

TEST_CASE("log_sum_exp: it equals its definition for rows of all lengths") {
  Random random(1);
  for (std::size_t n = 1; n < 70; ++n) {
    Array x({3, n});
    for (Real& v : x.span()) v = static_cast<Real>(3 * random.normal());
    const Array y = log_sum_exp(x), kept = x.clone();
    REQUIRE(y.shape() == autograd::Shape{3});
    for (std::size_t r = 0; r < 3; ++r) {
      double sum = 0;
      Real most = -infinity;
      for (const Real v : x.rows(r, r + 1).span()) {
        sum += std::exp(static_cast<double>(v));
        most = std::max(most, v);
      }
      CHECK(static_cast<double>(y[r]) == Approx(std::log(sum)).epsilon(1e-6));
      CHECK(autograd::largest(x.rows(r, r + 1).data(), n) == most);
      const autograd::Exponentials e = autograd::exponentiate(kept.rows(r, r + 1).data(), n);
      CHECK(e.log_sum_exp() == y[r]);
      for (std::size_t v = 0; v < n; ++v)
        CHECK(kept[r * n + v] / e.total == Approx(std::exp(static_cast<double>(x[r * n + v] - y[r]))).epsilon(1e-5));
    }
  }
}

TEST_CASE("log_sum_exp: huge logits stay finite, and -infinity adds nothing") {
  CHECK(log_sum_exp(Array({1, 2}, {Real(5000), Real(5000)}))[0] == Approx(5000 + std::log(2.0)));
  CHECK(log_sum_exp(Array({1, 2}, {Real(-5000), Real(-5000)}))[0] == Approx(-5000 + std::log(2.0)));
  for (std::size_t n : {2, 16, 17, 33}) {
    Array x({1, n}, -infinity);
    x[n - 1] = 2;
    CHECK(log_sum_exp(x)[0] == 2);
  }
  CHECK(log_sum_exp(Array({2, 0}))[1] == -infinity);
  CHECK(log_sum_exp(Array({0, 5})).size() == 0);
}

TEST_CASE("log_sum_exp: a row without probabilities gives NaN and does not affect other rows") {
  for (std::size_t at = 0; at < 37; ++at)
    for (const Real poison : {infinity, std::numeric_limits<Real>::quiet_NaN()}) {
      Array x({2, 37}, Real(1));
      x[at] = poison;
      const Array y = log_sum_exp(x);
      CHECK(std::isnan(y[0]));
      CHECK(y[1] == Approx(1 + std::log(37.0)));
    }
  CHECK(std::isnan(log_sum_exp(Array({1, 20}, -infinity))[0]));
}
