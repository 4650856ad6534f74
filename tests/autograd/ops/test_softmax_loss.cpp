// Softmax, cross-entropy and dropout are compared with numbers worked out by hand. Masked entries must not influence
// the results.
#include <functional>
#include <limits>

#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "tests/autograd/require_values.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

}  // namespace

TEST_CASE("softmax: values are correct with masks, huge logits and completely masked rows") {
  const double e = std::exp(1.0);
  const Var x = constant(Array({2, 3}, {0, 1, 0, 1000, 1000, -1000}));
  require_values(softmax(x), {2, 3}, {1 / (2 + e), e / (2 + e), 1 / (2 + e), .5, .5, 0});
  require_values(
      log_softmax(x), {2, 3},
      {-std::log(2 + e), 1 - std::log(2 + e), -std::log(2 + e), -std::log(2), -std::log(2), -2000 - std::log(2)});
  const Array mask({2, 3}, {1, 0, 1, 0, 0, 0});
  const Array y = softmax(x, mask).value();
  CHECK(compare::same_bits(y, Array({2, 3}, {.5, 0, .5, 0, 0, 0})));
  const Array log_y = log_softmax(x, mask).value();
  CHECK(log_y[0] == Approx(-std::log(2)).epsilon(tight));
  for (std::size_t i : {1, 3, 4, 5}) CHECK(log_y[i] == log_of_zero);
}

TEST_CASE("softmax: the value of a masked entry does not matter, and it gets no gradient") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Real poison : {infinity, -infinity, nan, Real(1e30)}) {
    const Array mask({1, 3}, {1, 0, 1});
    for (const auto& f : {std::function<Var(const Var&)>([&](const Var& v) { return softmax(v, mask); }),
                          std::function<Var(const Var&)>([&](const Var& v) { return log_softmax(v, mask); })}) {
      const Var x = variable(Array({1, 3}, {1, poison, 2})), clean = variable(Array({1, 3}, {1, 0, 2}));
      const Var y = f(x), y_clean = f(clean);
      INFO(y.op() << " of " << poison);
      CHECK(compare::same_bits(y.value(), y_clean.value()));
      backward(sum(y * constant(Array({1, 3}, {3, 5, 7}))));
      backward(sum(y_clean * constant(Array({1, 3}, {3, 5, 7}))));
      CHECK(compare::same_bits(x.grad(), clean.grad()));
      CHECK(x.grad()[1] == 0);
      CHECK(x.grad()[0] != 0);
    }
  }
}

TEST_CASE("softmax: an unmasked NaN gives NaN, and minus infinity has probability 0") {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  CHECK_FALSE(all_finite(softmax(constant(Array({1, 2}, {nan, nan}))).value()));
  CHECK_FALSE(all_finite(log_softmax(constant(Array({1, 2}, {nan, 1}))).value()));
  CHECK(compare::same_bits(softmax(constant(Array({1, 2}, {-infinity, 3}))).value(), Array({1, 2}, {0, 1})));
  CHECK(compare::same_bits(log_softmax(constant(Array({1, 2}, {-infinity, 3}))).value(),
                           Array({1, 2}, {log_of_zero, 0})));
}

// Szegedy et al. 2016, section 7.
TEST_CASE("cross_entropy: smoothing spreads eps over all words, and padding costs nothing") {
  const Var logits = constant(Array({3, 4}, {0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5}));
  const double Z = std::log(std::exp(1) + std::exp(2) + std::exp(3) + std::exp(4));
  require_values(cross_entropy(logits, {1, 3, 0}), {3}, {std::log(4), Z - 4, 0});
  const double eps = 0.2;  // mean_v -log p = Z - 2.5
  require_values(cross_entropy(logits, {1, 3, 0}, {eps}), {3}, {std::log(4), .8 * (Z - 4) + .2 * (Z - 2.5), 0});
  require_values(cross_entropy(logits, {0, -7, 0}, {0, -7}), {3}, {std::log(4), 0, std::log(4)});

  const Var x = variable(logits.value().clone());
  backward(sum(cross_entropy(x, {1, 0, 2})));
  CHECK(x.grad()[1] == Approx(-.75));
  for (std::size_t j = 4; j < 8; ++j) CHECK(x.grad()[j] == 0);
}

TEST_CASE("dropout: the share of zeros, the scale of the rest and the random stream are as specified") {
  Random random(4);
  const std::size_t n = 100001;
  const Array mask = dropout_mask({n}, 0.3, random);
  std::size_t zero = 0, kept = 0;
  for (Real v : mask.span()) {
    zero += v == 0;
    kept += v == Approx(1 / 0.7);
  }
  CHECK(zero + kept == n);
  CHECK(std::abs(static_cast<double>(zero) / n - 0.3) < 5 * std::sqrt(0.3 * 0.7 / n));

  // Neighbours are independent: the two halves of a draw are both dropped as often as chance predicts.
  std::size_t both = 0;
  for (std::size_t i = 0; i + 1 < n; i += 2) both += mask[i] == 0 && mask[i + 1] == 0;
  CHECK(std::abs(static_cast<double>(both) / (n / 2) - 0.09) < 5 * std::sqrt(0.09 * 0.91 / (n / 2)));

  // Element i depends on half i of the draws, whatever the size of the mask.
  for (const std::size_t size : {1, 511, 512, 513, 1025}) {
    Random at_once(5), one_by_one(5);
    const Array some = dropout_mask({size}, 0.25, at_once);
    std::uint64_t bits = 0;
    std::size_t other = 0;
    for (std::size_t i = 0; i < size; ++i) {
      bits = i % 2 == 0 ? one_by_one.next() : bits >> 32;
      other += (some[i] == 0) != ((bits & 0xffffffff) < std::uint64_t{1} << 30);
    }
    CHECK(other == 0);
    CHECK(at_once.position() == one_by_one.position());
  }

  Random a(9), b(9);
  const Var x = variable(Array({50}, 2));
  const Var y = dropout(x, 0.5, a);
  CHECK(compare::same_bits(y.value(), (x * constant(dropout_mask({50}, 0.5, b))).value()));
  CHECK(dropout(x, 0, a).node() == x.node());
  CHECK(a.position() == 25);
}
