// Chapter 23 lets three cells attend to each other, and prints the receptive fields of convolutions and of attention.
// If cells are shuffled, gates of channels stay the same, and gates of cells change.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "layers/pictures/gates.h"
#include "layers/pictures/non_local.h"

using namespace softalign;
using namespace layers;
using autograd::constant;

namespace {

void set(const Var& parameter, std::initializer_list<Real> numbers) {
  std::copy(numbers.begin(), numbers.end(), parameter.mutable_value().data());
}

void by_hand() {
  NonLocal non_local(Params(Random(1)), 2, 2, initialiser_config(InitialiserKind::standard));
  set(non_local.W_f, {1, 0, 0, 1}), set(non_local.W_g, {2, 0, 0, 2}), set(non_local.W_h, {1, 3}),
      set(non_local.W_v, {1, 1});
  const Var x = constant(Array({3, 1, 2}, {1, 0, 0, 1, 1, 0}));
  std::printf("the first of three cells       weights              y\n");
  for (const Real gamma : {0, 1}) {
    set(non_local.gamma, {gamma});
    const auto [y, weights] = non_local(x);
    std::printf("gamma = %.0f            %.3f %.3f %.3f  (%.3f, %.3f)\n", gamma, weights.value()[0], weights.value()[1],
                weights.value()[2], y.value()[0], y.value()[1]);
  }
}

// Marks the outputs of 8 x 8 cells that change if the cell in the corner changes.
void how_far() {
  const Grid grid{8, 8};
  const std::size_t C = 6;
  const Params p(Random(2));
  std::vector<Convolution2d> convolutions;
  for (const char* name : {"1", "2", "3"})
    convolutions.emplace_back(p / name, Patch{3, 1, 1}, C, C, initialiser_config(InitialiserKind::standard).input(1));
  const NonLocal non_local(p / "look", C, C, initialiser_config(InitialiserKind::standard), ones());
  Random random(3);
  Array picture({grid.cells(), 1, C});
  for (Real& number : picture.span()) number = static_cast<Real>(random.normal());
  Array other = picture.clone();
  for (std::size_t c = 0; c < C; ++c) other[c] = 2;

  std::vector<std::pair<Var, Var>> seen;
  Var x = constant(picture), y = constant(other);
  for (const Convolution2d& convolution : convolutions)
    seen.emplace_back(x = convolution(x, grid), y = convolution(y, grid));
  seen.emplace_back(non_local(constant(picture)).y, non_local(constant(other)).y);
  std::printf("\n1 convolution  2              3              self-attention\n");
  const auto changed = [&](const std::pair<Var, Var>& of, std::size_t cell) {
    const Real* before = of.first.value().data() + cell * C;
    return !std::equal(before, before + C, of.second.value().data() + cell * C);
  };
  for (std::size_t i = 0; i < grid.height; ++i) {
    for (std::size_t k = 0; k < seen.size(); ++k) {
      for (std::size_t j = 0; j < grid.width; ++j) std::printf("%c", changed(seen[k], i * grid.width + j) ? '#' : '.');
      std::printf("%s", k + 1 < seen.size() ? "       " : "\n");
    }
  }
}

double apart(const Var& a, const Var& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.value().size(); ++i)
    most = std::max<double>(most, std::abs(a.value()[i] - b.value()[i]));
  return most;
}

void gates() {
  const SqueezeExcitation squeeze(Params(Random(1)), 2, 1, initialiser_config(InitialiserKind::standard));
  set(squeeze.mlp.first.W, {1, -1}), set(squeeze.mlp.second.W, {1, -1});
  const auto [y, s] = squeeze(constant(Array({2, 1, 2}, {4, 0, 2, 2})));
  std::printf("\nsqueeze and excitation: gates %.3f and %.3f, cells (%.2f, %.2f) and (%.2f, %.2f)\n", s.value()[0],
              s.value()[1], y.value()[0], y.value()[1], y.value()[2], y.value()[3]);

  const Cbam cbam(Params(Random(4)), 2, 2, initialiser_config(InitialiserKind::standard));
  const Grid grid{4, 4};
  Array spot({16, 1, 2}, 0), moved({16, 1, 2}, 0);
  spot[2 * 5] = moved[2 * 6] = 3;  // one cell further right
  const Cbam::Output here = cbam(constant(spot), grid), there = cbam(constant(moved), grid);
  std::printf("a spot moved: gates of channels %s\n",
              apart(here.channels, there.channels) == 0 ? "the same" : "change");
  std::printf("              gates of cells    %s\n", apart(here.cells, there.cells) == 0 ? "the same" : "change");
}

}  // namespace

int main() {
  by_hand();
  how_far();
  gates();
}
