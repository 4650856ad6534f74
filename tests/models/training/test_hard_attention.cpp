// Hard attention: what a drawn look is, and that REINFORCE's expected gradient is that of the expectation.
#include "models/training/hard_attention.h"

#include "autograd/backward.h"
#include "autograd/no_grad.h"
#include "autograd/ops/reduce.h"
#include "models/pictures/show_attend_tell.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace {

using namespace models;
using autograd::Params;
using autograd::Shape;
using compare::relative_error;

constexpr std::size_t N = 4, D = 3, T = 2;
const Targets captions{T, {2, 4}, {4, 3}};

ModelOptions small() {
  ModelOptions o;
  o.target_vocabulary = 6;
  o.embedding = 3, o.hidden = 4, o.attention_size = 2;
  o.dropout = 0;
  o.initialiser = "default";
  return o;
}

// A decoder before one picture of four cells.
struct Painter {
  Params p{Random(1)};
  ShowAttendTell decoder{small(), D, p};
  Var a;
  explicit Painter(std::uint64_t seed) {
    Random random(seed);
    compare::randomise(p, random, 1);
    a = autograd::constant(compare::random_array({N, 1, D}, random));
  }
  struct Drawn {
    Forced forced;
    std::vector<Glance> glances;
  };
  // With known places, one a step.
  Drawn looking_at(const Ids& places) const {
    Drawn drawn;
    std::size_t t = 0;
    const auto decoder_of_places =
        decoder.reweighted(hard_looks([&](const Array&) { return Ids{places[t++]}; }, &drawn.glances));
    drawn.forced = decoder_of_places->forced(decoder.memory(a), captions, nullptr);
    return drawn;
  }
  std::vector<Array> gradients(const Var& loss) const {
    backward(loss);
    return compare::gradients(p);
  }
};

double number(const Var& x) { return static_cast<double>(x.value().item()); }

}  // namespace

// Xu et al. 2015, eq. 11-12.
TEST_CASE("hard attention: REINFORCE's gradient, expected over all looks at four cells, is that of the expectation") {
  const Painter painter(2);
  Var expected = autograd::constant(Array::scalar(0));  // -sum_s p(s) log p(y | s)
  std::vector<Array> reinforced;
  Reinforce reinforce({.reward = 1, .entropy = 0});
  for (int warm = 0; warm < 3; ++warm) {  // so that the baseline is not 0
    const auto drawn = painter.looking_at({1, 2});
    reinforce.loss(drawn.forced.losses, drawn.glances);
  }
  double all = 0;
  for (Id first = 0; first < static_cast<Id>(N); ++first)
    for (Id second = 0; second < static_cast<Id>(N); ++second) {
      const auto drawn = painter.looking_at({first, second});
      const Var p_of_looks =
          slice(drawn.glances[0].alpha, 1, static_cast<std::size_t>(first), static_cast<std::size_t>(first) + 1) *
          slice(drawn.glances[1].alpha, 1, static_cast<std::size_t>(second), static_cast<std::size_t>(second) + 1);
      expected = expected + sum(p_of_looks) * sum(drawn.forced.losses);
      all += number(sum(p_of_looks));
      const auto again = painter.looking_at({first, second});
      Reinforce same = reinforce;
      const std::vector<Array> one =
          painter.gradients(sum(again.forced.losses) + same.loss(again.forced.losses, again.glances));
      if (reinforced.empty())
        for (const Array& g : one) reinforced.push_back(autograd::zeros_like(g));
      for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t k = 0; k < one[i].size(); ++k)
          reinforced[i][k] += static_cast<Real>(number(sum(p_of_looks))) * one[i][k];
    }
  CHECK(all == Approx(1).epsilon(1e-5));
  const std::vector<Array> enumerated = painter.gradients(expected);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < enumerated.size(); ++i) {
    INFO(painter.p.all()[i].name);
    CHECK(relative_error(reinforced[i], enumerated[i]) < (sizeof(Real) == 8 ? 1e-9 : 1e-3));
    for (std::size_t k = 0; k < enumerated[i].size(); ++k) moved += enumerated[i][k] != 0;
  }
  CHECK(moved > 50);
}

TEST_CASE("hard attention: a drawn look sees its cell alone, -1 sees the mean, the largest is the likeliest") {
  const Painter painter(3);
  const auto drawn = painter.looking_at({2, -1});
  const Array& weights = drawn.forced.weights.alignment.value();
  for (std::size_t i = 0; i < N; ++i) {
    CHECK(weights[i] == (i == 2 ? 1 : 0));
    CHECK(weights[N + i] ==
          Approx(drawn.glances[1].alpha.value()[i]).epsilon(sizeof(Real) == 8 ? 1e-14 : 1e-6));  // alpha / mass * mass
  }
  CHECK(largest_places(Array({2, 3}, {Real(.2), Real(.5), Real(.3), Real(.4), Real(.3), Real(.3)})) == Ids{1, 0});
}

// Xu et al. 2015, eq. 8-9, section 4.1.
TEST_CASE("hard attention: places are drawn as often as they weigh, of as many rows as are to be drawn") {
  Random random(4);
  const Array alpha({2, 3}, {Real(.2), Real(.5), Real(.3), 0, Real(.9), Real(.1)});
  std::array<std::array<double, 4>, 2> share{};  // of -1, 0, 1, 2
  const Draw draw = draw_places(random, 0.75);
  const int n = 40000;
  for (int i = 0; i < n; ++i) {
    const Ids places = draw(alpha);
    for (std::size_t r = 0; r < 2; ++r) share[r][static_cast<std::size_t>(places[r] + 1)] += 1.0 / n;
  }
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(share[r][0] == Approx(0.25).margin(0.01));
    for (std::size_t s = 0; s < 3; ++s)
      CHECK(share[r][s + 1] == Approx(0.75 * static_cast<double>(alpha[r * 3 + s])).margin(0.012));
  }
  CHECK(share[1][1] == 0);
}

TEST_CASE("hard attention: the loss is what its formula says, the baseline follows the reward") {
  const Var alpha = autograd::variable(Array({2, 2}, {Real(.25), Real(.75), Real(.5), Real(.5)}));
  const Var losses = autograd::variable(Array({2}, {Real(2), Real(3)}));
  Reinforce reinforce({.reward = 2, .entropy = Real(.5)});
  const std::vector<Glance> glances{{alpha, {0, -1}}};  // the second row saw the mean
  const double H = -(.25 * std::log(.25) + .75 * std::log(.75));
  CHECK(number(reinforce.loss(losses, glances)) == Approx(-2 * -2 * std::log(.25) - .5 * H));
  // R is -2 and -3 for the rows, b is now .1 * -2.5
  CHECK(number(reinforce.loss(losses, glances)) == Approx(-2 * (-2 + .25) * std::log(.25) - .5 * H));
}

TEST_CASE("hard attention: a step with several heads is refused") {
  const Var weights = autograd::constant(Array({1, 2, 3}, Real(1) / 3));
  CHECK_THROWS_AS(hard_looks(largest_places)({weights, weights, weights, weights}), std::invalid_argument);
}
