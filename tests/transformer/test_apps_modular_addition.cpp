// The sums of `reproduce modular-addition`, and the frequencies of a table.
#include "apps/transformer/modular_addition.h"

#include <cmath>
#include <numbers>
#include <set>

#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using apps::Frequencies;
using apps::ModularSums;
using autograd::Array;
using autograd::Random;
using autograd::Real;

}  // namespace

TEST_CASE("modular addition: every sum occurs once, is correct and is in the same part as its mirror image") {
  Random random(1);
  const ModularSums sums(7, 0.6, random);
  std::set<std::pair<int, int>> seen, training;
  for (const ModularSums::Texts* texts : {&sums.training, &sums.held_out}) {
    const std::size_t B = texts->size();
    REQUIRE(texts->words.size() == 3 * B);
    for (std::size_t i = 0; i < B; ++i) {
      const int a = static_cast<int>(texts->words[i]), b = static_cast<int>(texts->words[B + i]);
      CHECK(texts->words[2 * B + i] == 7);
      CHECK(static_cast<int>(texts->answers[i]) == (a + b) % 7);
      CHECK(seen.emplace(a, b).second);
      if (texts == &sums.training) training.emplace(a, b);
      else CHECK(training.count({b, a}) == 0);
    }
  }
  CHECK(seen.size() == 49);
  CHECK(sums.training.size() == Approx(0.6 * 49).margin(3));
}

TEST_CASE("frequencies: a wave has its own frequency, shares sum to 1, and a removed frequency is gone") {
  constexpr std::size_t p = 11, d = 2;
  Array wave({p, d});
  for (std::size_t a = 0; a < p; ++a) {
    const auto angle = [&](double k) { return 2 * std::numbers::pi * k * static_cast<double>(a) / p; };
    wave[a * d] = static_cast<Real>(3 + std::cos(angle(2) + 0.4));
    wave[a * d + 1] = static_cast<Real>(std::sin(angle(2)) + std::sin(angle(5)));
  }
  const std::vector<double> shares = apps::fractions_of_frequencies(wave, p);
  REQUIRE(shares.size() == 5);
  CHECK(shares[1] == Approx(2.0 / 3));
  CHECK(shares[4] == Approx(1.0 / 3));
  CHECK(shares[0] + shares[2] + shares[3] == Approx(0).margin(1e-9));
  const Array only = apps::at_frequencies(wave, p, {2}, Frequencies::only);
  const Array without = apps::at_frequencies(wave, p, {2}, Frequencies::without);
  CHECK(apps::fractions_of_frequencies(only, p)[1] == Approx(1));
  CHECK(apps::fractions_of_frequencies(without, p)[4] == Approx(1));
  CHECK(static_cast<double>(without[0]) == Approx(3));  // the mean of 3 is kept
  CHECK(static_cast<double>(only[0]) == Approx(3 + std::cos(0.4)));
  Random random(2);
  const Array noise = compare::random_array({p, d}, random);
  CHECK(compare::relative_error(apps::at_frequencies(noise, p, {1, 2, 3, 4, 5}, Frequencies::only), noise) < 1e-5);
}
