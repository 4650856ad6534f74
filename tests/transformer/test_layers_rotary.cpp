// Rotary position embeddings (RoPE): these tests check what a score depends on, and compare the op with primitive ops.
#include <cmath>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "layers/transformer/positions.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t d = 8, K = 2;

}  // namespace

// Su et al. 2021, eq. 34.
TEST_CASE("rotary positions: a score depends only on the words and on their distance") {
  Random random(2);
  const Var word = constant(random_array({1, 1, d}, random)), other = constant(random_array({1, 1, d}, random));
  const auto score = [&](std::size_t i, std::size_t j) {
    const Var product = RotaryEmbedding(i, 1, d / K)(word) * RotaryEmbedding(j, 1, d / K)(other);
    double total = 0;
    for (const Real x : product.value().span()) total += static_cast<double>(x);
    return total;
  };
  CHECK(score(4, 1) == Approx(score(13, 10)).margin(10 * exact));
  CHECK(std::abs(score(4, 1) - score(1, 4)) > 1e-3);
  CHECK(std::abs(score(4, 1) - score(4, 2)) > 1e-3);
  CHECK(relative_error(RotaryEmbedding(0, 1, d / K)(word).value(), word.value()) < exact);

  // The second pair of each head at position 7 is computed by hand.
  const double w = std::pow(10000, -2.0 / (d / K));
  const Array &x = word.value(), y = RotaryEmbedding(7, 1, d / K)(word).value();
  for (const std::size_t first : {std::size_t{2}, d / K + 2}) {
    CHECK(y[first] == Approx(std::cos(7 * w) * x[first] - std::sin(7 * w) * x[first + 1]).margin(exact));
    CHECK(y[first + 1] == Approx(std::sin(7 * w) * x[first] + std::cos(7 * w) * x[first + 1]).margin(exact));
  }
}

// The reference consists of primitive ops.
TEST_CASE("rotary positions: values and gradients equal those of each pair times its rotation matrix") {
  Random random(4);
  const std::size_t steps = 3, heads = 2, width = 6, pairs = heads * width / 2;
  const Var x = variable(random_array({steps, 2, heads * width}, random));
  const Array weights = random_array(x.shape(), random);
  const RotaryEmbedding turns(5, steps, width);
  const auto tiled = [&](const Array& of_one) {  // (n, d/2) -> (n, 1, heads * d/2, 1)
    Array all({steps, 1, pairs, 1});
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = of_one[i / pairs * (width / 2) + i % pairs % (width / 2)];
    return constant(all);
  };
  const auto by_primitives = [&] {
    const Var c = tiled(turns.cosines), s = tiled(turns.sines), both = reshape(x, {steps, 2, pairs, 2});
    const Var a = slice(both, 3, 0, 1), b = slice(both, 3, 1, 2);
    return reshape(concat({c * a - s * b, s * a + c * b}, 3), x.shape());
  };
  const auto both = [&](const Var& y) {
    x.zero_grad();
    backward(y, weights);
    return std::pair(y.value(), x.grad().clone());
  };
  const auto [value, dx] = both(turns(x));
  const auto [expected, expected_dx] = both(by_primitives());
  CHECK(relative_error(value, expected) < exact);
  CHECK(relative_error(dx, expected_dx) < exact);
}
