#include <cmath>
#include <limits>
#include <vector>

#include "autograd/internal/simd.h"
#include "tests/catch.h"

using namespace softalign;
using autograd::lane_count;
using autograd::Lanes;
using autograd::Real;

namespace {

// Computes tanh in all lanes and requires that all lanes agree.
Real tanh_of(Real x) {
  Real y[lane_count];
  autograd::tanh(Lanes(x)).store_unaligned(y);
  for (const Real lane : y) REQUIRE((lane == y[0] || std::isnan(lane)));
  return y[0];
}

}  // namespace

TEST_CASE("simd: tanh is correct to the last digits, odd and at most 1") {
  const double tolerance = sizeof(Real) == sizeof(float) ? 4e-7 : 1e-14;
  std::vector<double> xs;
  for (double x = 1e-30; x < 1e-2; x *= 1.7) xs.push_back(x);
  for (double x = 1e-2; x < 20; x += 0.003) xs.push_back(x);
  for (const double x : xs) {
    const auto given = static_cast<Real>(x);
    const Real y = tanh_of(given);
    const double expected = std::tanh(static_cast<double>(given));
    REQUIRE(std::abs(static_cast<double>(y) - expected) <= tolerance * expected);
    REQUIRE(y <= 1);
    REQUIRE(tanh_of(-given) == -y);
  }
}

TEST_CASE("simd: tanh is correct for NaN and infinity") {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  CHECK(tanh_of(infinity) == Approx(1));
  CHECK(tanh_of(-infinity) == Approx(-1));
  CHECK(std::isnan(tanh_of(std::numeric_limits<Real>::quiet_NaN())));
  CHECK(tanh_of(0) == 0);
}

TEST_CASE("a square of lanes becomes its transpose") {
  Lanes rows[lane_count];
  for (std::size_t i = 0; i < lane_count; ++i) {
    Real row[lane_count];
    for (std::size_t j = 0; j < lane_count; ++j) row[j] = static_cast<Real>(lane_count * i + j);
    rows[i] = Lanes::load_unaligned(row);
  }
  autograd::transpose(rows);
  for (std::size_t i = 0; i < lane_count; ++i) {
    Real row[lane_count];
    rows[i].store_unaligned(row);
    for (std::size_t j = 0; j < lane_count; ++j) CHECK(row[j] == static_cast<Real>(lane_count * j + i));
  }
}
