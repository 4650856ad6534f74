// Compares convolution over the cells of pictures with PyTorch, and checks properties that hold for any numbers.
#include "layers/pictures/convolution_2d.h"

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused_convolution.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/golden.h"
#include "tests/layers/fused/fused_cases.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;
using fused_cases::Chosen;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;

Grid grid_of_file(const golden::Golden& g) {
  const auto sides = g.fact<std::vector<std::size_t>>("grid");
  return {sides.at(0), sides.at(1)};
}
Patch patch_of_file(const golden::Golden& g) {
  const auto p = g.fact<std::vector<std::size_t>>("patch");
  return {p.at(0), p.at(1), p.at(2)};
}

}  // namespace

TEST_CASE("convolution over cells equals torch's conv2d with strides, padding and even widths, in both forms") {
  for (const Kernels form : {Kernels::fused, Kernels::composed})
    for (const std::string& name : golden::cases("convolution_2d")) {
      INFO(name);
      const Chosen chosen(form);
      golden::Golden g("convolution_2d", name);
      g.check({{"y", convolution_2d(g("x"), g("W"), g("b"), grid_of_file(g), patch_of_file(g))}});
    }
}

TEST_CASE("the mean of cells equals torch's average pooling") {
  golden::Golden g("mean_pool");
  g.check({{"y", mean(g("x"), {0})}});
}

TEST_CASE("a kernel with 1 in its middle, from each channel to itself, is the identity") {
  Random random(1);
  constexpr std::size_t C = 3;
  const Var x = constant(random_array({20, 2, C}, random));
  Array W = autograd::zeros({9 * C, C});
  for (std::size_t c = 0; c < C; ++c) W[(4 * C + c) * C + c] = 1;
  const Var y = convolution_2d(x, constant(W), constant(autograd::zeros({C})), {4, 5}, {3, 1, 1});
  CHECK(relative_error(y.value(), x.value()) < exact);
}

TEST_CASE("convolution is equivariant to shifts of the picture, away from the borders") {
  Random random(2);
  constexpr std::size_t H = 6, W = 7, C = 2, N = 3;
  const Array picture = random_array({H * W, 1, C}, random);
  Array moved = autograd::zeros({H * W, 1, C});  // moved by one row and one column
  for (std::size_t i = 1; i < H; ++i)
    for (std::size_t j = 1; j < W; ++j)
      for (std::size_t c = 0; c < C; ++c) moved[(i * W + j) * C + c] = picture[((i - 1) * W + j - 1) * C + c];
  const Convolution2d layer(Params(Random(3)), {3, 1, 1}, C, N, glorot());
  const Array before = layer(constant(picture), {H, W}).value(), after = layer(constant(moved), {H, W}).value();
  for (std::size_t i = 2; i + 1 < H; ++i)
    for (std::size_t j = 2; j + 1 < W; ++j)
      for (std::size_t n = 0; n < N; ++n)
        CHECK(std::abs(after[(i * W + j) * N + n] - before[((i - 1) * W + j - 1) * N + n]) < exact);
}

TEST_CASE("a picture has the same output in a batch") {
  Random random(4);
  const Var x = constant(random_array({12, 3, 2}, random));
  const Convolution2d layer(Params(Random(5)), {3, 2, 1}, 2, 4, glorot());
  const Var all = layer(x, {4, 3});
  for (std::size_t b = 0; b < 3; ++b) {
    const Var alone = layer(slice(x, 1, b, b + 1), {4, 3});
    CHECK(relative_error(slice(all, 1, b, b + 1).value(), alone.value()) < exact);
  }
}

TEST_CASE("grids: they have as many positions as torch's, and wrong sizes and empty grids are errors") {
  CHECK(grid_of({24, 24}, {3, 2, 1}) == Grid{12, 12});
  CHECK(grid_of({5, 7}, {2, 2, 0}) == Grid{2, 3});
  CHECK(grid_of({640, 480}, {7, 4, 3}) == Grid{160, 120});
  CHECK_THROWS_AS(grid_of({2, 5}, {3, 1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(grid_of({2, 5}, {1, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(grid_of({2, 5}, {2, 1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(grid_of({0, 5}, {1, 1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(grid_of({2, 5}, {0, 1, 0}), std::invalid_argument);
  const Convolution2d layer(Params(Random(6)), {3, 1, 1}, 2, 4, glorot());
  const auto x = [](const Shape& shape) { return constant(autograd::zeros(shape)); };
  CHECK(layer(x({6, 1, 2}), {2, 3}).shape() == Shape{6, 1, 4});
  CHECK_THROWS_AS(layer(x({7, 1, 2}), {2, 3}), std::invalid_argument);
  CHECK_THROWS_AS(layer(x({6, 1, 3}), {2, 3}), std::invalid_argument);
  const auto refused = [&](const Shape& cells, const Shape& W, const Shape& b) {
    CHECK_THROWS_AS(autograd::fused::convolution_2d(x(cells), x(W), x(b), {2, 3}, {3, 1, 1}), std::invalid_argument);
  };
  CHECK_NOTHROW(autograd::fused::convolution_2d(x({6, 1, 2}), x({18, 4}), x({4}), {2, 3}, {3, 1, 1}));
  refused({6, 2}, {18, 4}, {4});
  refused({6, 1, 2}, {72}, {4});
  refused({6, 1, 2}, {18, 4}, {5});
}
