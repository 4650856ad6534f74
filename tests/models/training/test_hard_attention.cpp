// Hard attention: these tests check sampled positions, and that REINFORCE's expected gradient is the gradient of the
// expectation.
#include "models/training/hard_attention.h"

#include <array>
#include <cmath>

#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "data/corpus/batch.h"
#include "models/pictures/show_attend_tell.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Params;
using autograd::Shape;
using compare::relative_error;
using layers::Draw;
using layers::hard_attention_hook;
using layers::largest_places;
using layers::SampledAttention;

constexpr std::size_t N = 4, D = 3, T = 2;
const Targets captions{T, {2, 4}, {4, 3}};

ModelOptions small() {
  ModelOptions o;
  o.target_vocabulary = 6;
  o.embedding = 3, o.hidden = 4, o.attention_size = 2;
  o.dropout = 0;
  o.initialiser = layers::InitialiserKind::standard;
  return o;
}

// A decoder with one picture of four cells.
struct Painter {
  Params p{Random(1)};
  ShowAttendTell decoder{small(), D, p};
  Var a;  // (N, 1, D)
  explicit Painter(std::uint64_t seed) {
    Random random(seed);
    compare::randomise(p, random, 1);
    a = autograd::constant(compare::random_array({N, 1, D}, random));
  }
  struct SyntheticExample {
    TeacherForced forced;
    std::vector<SampledAttention> glances;
  };
  // Teacher forcing with given positions, one per step.
  SyntheticExample looking_at(const Ids& places) const {
    SyntheticExample drawn;
    std::size_t t = 0;
    const auto decoder_of_places = decoder.with_attention_hook(
        hard_attention_hook([&](const Array&) { return Ids{places[t++]}; }, &drawn.glances));
    drawn.forced = decoder_of_places->teacher_forced(decoder.memory(a), captions, nullptr);
    return drawn;
  }
  std::vector<Array> gradients(const Var& loss) const {
    backward(loss);
    return compare::gradients(p);
  }
};

double number(const Var& x) { return static_cast<double>(x.value().item()); }

HardAttention with_baseline(const std::vector<Real>& b, double reward, double entropy) {
  return {.fraction = 1, .baseline = Array({b.size()}, b), .reward = reward, .entropy = entropy};
}

}  // namespace

// Xu et al. 2015, eq. 11-12.
TEST_CASE("hard attention: the mean of REINFORCE's gradients over all samples equals the gradient of the expectation") {
  const Painter painter(2);
  Var expected = autograd::constant(Array::scalar(0));  // -sum_s p(s) log p(y | s), over all pairs s of positions
  std::vector<Array> reinforced;
  const HardAttention looks = with_baseline({Real(-.7), Real(-.4)}, 1, 0);
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
      Rewards rewards;
      const std::vector<Array> one = painter.gradients(
          sum(again.forced.losses) + reinforcement(again.forced.losses, captions.out, again.glances, looks, rewards));
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

TEST_CASE("hard attention: a sample attends to its cell only, -1 to the mean, and the largest is the likeliest") {
  const Painter painter(3);
  const auto drawn = painter.looking_at({2, -1});
  const Array& weights = drawn.forced.weights.matrix.value();
  for (std::size_t i = 0; i < N; ++i) {
    CHECK(weights[i] == (i == 2 ? 1 : 0));
    CHECK(weights[N + i] == drawn.glances[1].alpha.value()[i]);
  }
  CHECK(largest_places(Array({2, 3}, {Real(.2), Real(.5), Real(.3), Real(.4), Real(.3), Real(.3)})) == Ids{1, 0});
}

// Xu et al. 2015, eq. 8-9, section 4.1.
TEST_CASE("hard attention: positions are sampled with their weights, for the requested number of rows") {
  Random random(4);
  const Array alpha({2, 3}, {Real(.2), Real(.5), Real(.3), 0, Real(.9), Real(.1)});
  std::array<std::array<double, 4>, 2> fraction{};  // frequencies of -1, 0, 1, 2
  const Draw draw = sample_positions(random, 0.75);
  const int n = 40000;
  for (int i = 0; i < n; ++i) {
    const Ids places = draw(alpha);
    for (std::size_t r = 0; r < 2; ++r) fraction[r][static_cast<std::size_t>(places[r] + 1)] += 1.0 / n;
  }
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(fraction[r][0] == Approx(0.25).margin(0.01));
    for (std::size_t s = 0; s < 3; ++s)
      CHECK(fraction[r][s + 1] == Approx(0.75 * static_cast<double>(alpha[r * 3 + s])).margin(0.012));
  }
  CHECK(fraction[1][1] == 0);
}

TEST_CASE("hard attention: the loss follows its formula and ignores padding") {
  const Var alpha = autograd::constant(Array({2, 2}, {Real(.25), Real(.75), Real(.5), Real(.5)}));
  const Var losses = autograd::constant(Array({4}, {Real(2), Real(3), Real(1), 0}));
  const Ids words{5, data::end_id, data::end_id, data::pad_id};
  const HardAttention looks = with_baseline({Real(-2.5), Real(-.5)}, 2, .5);
  const double H = -(.25 * std::log(.25) + .75 * std::log(.75));
  Rewards rewards;
  // In the first sentence, the reward R is -3 and then -1. The second sentence attends to the mean, and its second word
  // is padding.
  const double first = -2 * (-3 + 2.5) * std::log(.25) - .5 * H, second = -2 * (-1 + .5) * std::log(.75) - .5 * H;
  CHECK(number(reinforcement(losses, words, {{alpha, {0, -1}}, {alpha, {1, 1}}}, looks, rewards)) ==
        Approx(first + second));
  CHECK(rewards.sums == std::vector<double>{-6, -1});
  CHECK(rewards.captions == std::vector<double>{2, 1});
}

TEST_CASE("hard attention: the baseline follows the mean reward of a step for any number of batches") {
  Array baseline({3}, {-1, -1, -1});
  Rewards rewards{{-6, -1}, {2, 1}};
  rewards += {{-3, 0, 5}, {1, 0, 0}};
  follow(baseline, rewards);
  CHECK(baseline[0] == Approx(-.9 - .1 * 3));
  CHECK(baseline[1] == Approx(-.9 - .1 * 1));
  CHECK(baseline[2] == -1);  // no caption was this long
}

TEST_CASE("hard attention: a step with several heads is refused") {
  const Var weights = autograd::constant(Array({1, 2, 3}, Real(1) / 3));
  CHECK_THROWS_AS(hard_attention_hook(largest_places)({weights, weights, weights, weights}), std::invalid_argument);
}

TEST_CASE("hard attention: the decoder attends to the likeliest cell, and an attention hook receives this choice") {
  Painter painter(5);
  ModelOptions o = small();
  o.hard_attention = true;
  const Params q(Random(9));
  const ShowAttendTell hard(o, D, q);
  for (std::size_t i = 0; i < q.all().size(); ++i)
    q.all()[i].var.mutable_value() = painter.p.all()[i].var.value().clone();
  const Var soft = painter.decoder.teacher_forced(painter.decoder.memory(painter.a), captions, nullptr).weights.matrix;
  const TeacherForced found = hard.teacher_forced(hard.memory(painter.a), captions, nullptr);
  const TeacherForced expected = painter.decoder.with_attention_hook(hard_attention_hook(largest_places))
                                     ->teacher_forced(painter.decoder.memory(painter.a), captions, nullptr);
  CHECK(relative_error(found.losses.value(), expected.losses.value()) == 0);
  std::size_t seen = 0;
  const auto watched = hard.with_attention_hook([&](const layers::HookInput& input) {
    for (std::size_t i = 0; i < N; ++i) seen += input.weights.value()[i] == 1;
    return input.weights;
  });
  CHECK(relative_error(watched->teacher_forced(hard.memory(painter.a), captions, nullptr).losses.value(),
                       found.losses.value()) == 0);
  CHECK(seen == T);
  CHECK(largest_places(found.weights.matrix.value())[0] == largest_places(soft.value())[0]);
}
