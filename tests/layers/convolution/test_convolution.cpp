// Compares convolution over a sequence with PyTorch, and checks properties that hold for any weights.
#include "layers/convolution/convolution.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t S = 7, B = 2, D = 3, N = 4, w = 3;

struct Random3 {
  Var x, W, b;
};
Random3 random_layer(std::uint64_t seed) {
  Random random(seed);
  const Var x = variable(random_array({S, B, D}, random)), W = variable(random_array({w * D, N}, random));
  return {x, W, variable(random_array({N}, random))};
}

}  // namespace

TEST_CASE("convolution equals torch's conv1d for odd and even widths, causal and padded") {
  for (const std::string& name : golden::cases("convolution")) {
    INFO(name);
    golden::Golden g("convolution", name);
    const Window window = g.fact<bool>("causal") ? Window::causal : Window::centred;
    g.check({{"y", convolution(g("x"), g("W"), g("b"), window, g.fact<std::vector<std::size_t>>("lengths"))}});
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("convolution: gradients equal central differences") {
  const Random3 l = random_layer(1);
  for (const Window window : {Window::centred, Window::causal}) {
    const GradcheckResult check = gradcheck(
        [&](const std::vector<Var>& in) {
          return convolution(in[0], in[1], in[2], window, {S, 4});
        },
        {l.x, l.W, l.b});
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("a convolution with weight 1 in the middle, or at the end if causal, is the identity") {
  const Random3 l = random_layer(2);
  const Var nothing = constant(autograd::zeros({D}));
  for (const Window window : {Window::centred, Window::causal}) {
    Array W = autograd::zeros({w * D, D});
    for (std::size_t i = 0; i < D; ++i) W[((window == Window::causal ? w - 1 : w / 2) * D + i) * D + i] = 1;
    CHECK(relative_error(convolution(l.x, constant(W), nothing, window).value(), l.x.value()) < exact);
  }
}

TEST_CASE("convolution: a state does not depend on the future if causal, or beyond half the width if not") {
  const Random3 l = random_layer(3), other = random_layer(4);
  for (std::size_t t = 1; t < S; ++t) {
    const Var x = concat({slice(l.x, 0, 0, t), slice(other.x, 0, t, S)}, 0);
    const auto y = [&](const Var& in, Window window) { return convolution(in, l.W, l.b, window).value(); };
    const auto same = [&](Window window, std::size_t steps) {
      return compare::same_bits(y(x, window).rows(0, steps), y(l.x, window).rows(0, steps));
    };
    CHECK(same(Window::causal, t));
    CHECK(!same(Window::causal, t + 1));
    CHECK(same(Window::centred, t - 1));
    CHECK(!same(Window::centred, t));
  }
}

TEST_CASE("convolution is equivariant to shifts, away from the ends") {
  const Random3 l = random_layer(5);
  const Var moved = concat({constant(autograd::zeros({1, B, D})), slice(l.x, 0, 0, S - 1)}, 0);
  const Array y = convolution(l.x, l.W, l.b, Window::centred).value();
  const Array z = convolution(moved, l.W, l.b, Window::centred).value();
  CHECK(relative_error(z.rows(2, S - 1), y.rows(1, S - 2)) < exact);
}

TEST_CASE("convolution: a sentence alone equals the same sentence in a padded batch") {
  const Random3 l = random_layer(6);
  const auto alone = [](const Var& a) { return slice(slice(a, 1, 1, 2), 0, 0, 4); };
  const Array in_batch = alone(convolution(l.x, l.W, l.b, Window::centred, {S, 4})).value();
  CHECK(relative_error(in_batch, convolution(alone(l.x), l.W, l.b, Window::centred).value()) < exact);
}

TEST_CASE("a convolution layer declares its weights and refuses weights of other sizes") {
  const Params p(Random(1));
  const Convolution layer(p, w, D, N, Window::centred, glorot());
  CHECK(p.count() == w * D * N + N);
  const Random3 l = random_layer(7);
  CHECK(layer(l.x).shape() == Shape{S, B, N});
  CHECK_THROWS_AS(layer(slice(l.x, 2, 0, 2)), std::invalid_argument);
  CHECK_THROWS_AS(convolution(l.x, constant(Array({0, N})), constant(Array({N}, 0)), Window::centred, {}),
                  std::invalid_argument);
}
