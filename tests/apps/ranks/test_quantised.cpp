#include "apps/ranks/quantised.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "autograd/random.h"
#include "tests/catch.h"

using namespace softalign;
using namespace apps;
using autograd::Real;

namespace {

std::vector<Real> drawn(autograd::Random random, std::size_t count) {
  std::vector<Real> numbers(count);
  for (Real& x : numbers) x = static_cast<Real>(2 * random.uniform() - 1);
  return numbers;
}

// Returns the numbers that arrive, and replaces x by the quantisation errors.
std::vector<Real> sent(std::vector<Real>& x) {
  std::vector<std::byte> bytes(quantised_bytes(x.size()));
  quantise(x, bytes.data());
  std::vector<Real> received(x.size());
  dequantise(bytes.data(), received);
  return received;
}

}  // namespace

TEST_CASE("an int8 number differs from its value by at most half a step of its block's scale", "[ranks]") {
  std::vector<Real> x = drawn(autograd::Random(1), 700);
  for (std::size_t i = 256; i < 512; ++i) x[i] *= 1e-6F;  // these are one block, which has a scale of its own
  const std::vector<Real> exact = x;
  const std::vector<Real> received = sent(x);
  for (std::size_t begin = 0; begin < exact.size(); begin += quantised_block) {
    Real largest = 0;
    const std::size_t end = std::min(exact.size(), begin + quantised_block);
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(exact[i]));
    for (std::size_t i = begin; i < end; ++i) {
      CHECK(std::abs(received[i] - exact[i]) <= largest / 254 * 1.001F);
      CHECK(received[i] + x[i] == Approx(exact[i]).margin(1e-7 * largest));  // the error is kept in x
    }
  }
}

TEST_CASE("by hand: the largest number of a block is exact, and zeros stay zero", "[ranks]") {
  std::vector<Real> x = {127, 63.4F, 0, -126.6F};
  CHECK(sent(x) == std::vector<Real>{127, 63, 0, -127});
  CHECK(x[1] == Approx(0.4F).epsilon(1e-4));
  std::vector<Real> zeros(3), tiny = {1e-38F, 0, 0};
  CHECK(sent(zeros) == std::vector<Real>(3));
  CHECK(sent(tiny) == std::vector<Real>(3));
  CHECK(tiny[0] == 1e-38F);  // too small to send; error feedback keeps it until the sum has grown
}

TEST_CASE("with error feedback, the received gradients sum to the true gradients", "[ranks]") {
  const std::size_t count = 300;
  std::vector<Real> error(count), total(count), true_total(count);
  for (std::size_t step = 0; step < 50; ++step) {
    const std::vector<Real> gradient = drawn(autograd::Random(step), count);
    for (std::size_t i = 0; i < count; ++i) error[i] += gradient[i], true_total[i] += gradient[i];
    const std::vector<Real> received = sent(error);
    for (std::size_t i = 0; i < count; ++i) total[i] += received[i];
  }
  // The error is that of 1 step, not of 50.
  for (std::size_t i = 0; i < count; ++i) CHECK(std::abs(total[i] - true_total[i]) < 1. / 200);
}

TEST_CASE("a block with a number that is not finite is received as NaN", "[ranks]") {
  for (const Real bad : {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    std::vector<Real> x(300, 1);
    x[2] = bad;
    const std::vector<Real> received = sent(x);
    CHECK(std::isnan(received[0]));
    CHECK(std::isnan(received[255]));
    CHECK(received[256] == 1);
  }
}
