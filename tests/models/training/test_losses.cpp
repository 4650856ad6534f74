// Compares the losses that supervise attention with sums done by hand.
#include "autograd/var.h"
#include "models/training/losses.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace models;
using autograd::concat;
using autograd::constant;
using autograd::Shape;

namespace {

// Two sentences of 3 and 2 source and target steps, </s> included. Target word 0 of the first sentence has two sure
// links, word 1 none. Word 0 of the second has one.
Batch two_sentences() {
  Batch batch;
  batch.size = 2;
  batch.source_steps = batch.targets.steps = 3;
  batch.source_lengths = {3, 2};
  batch.target_lengths = {3, 2};
  batch.sure = {{{0, 0}, {1, 0}}, {{0, 0}}};
  return batch;
}

// (T*B, S)
Var three_steps() {
  return constant(Array({6, 3}, {Real(.5), Real(.25), Real(.25), Real(.8), Real(.2), 0,  //
                                 Real(.1), Real(.6), Real(.3), Real(.3), Real(.7), 0,    //
                                 Real(.2), Real(.7), Real(.1), Real(.5), Real(.5), 0}));
}

double number(const Var& x) { return static_cast<double>(x.value().item()); }

}  // namespace

TEST_CASE("guided alignment: it is the cross-entropy against the uniform distribution over a word's sure links") {
  const double expected = -(std::log(.5) / 2 + std::log(.25) / 2 + std::log(.8));
  CHECK(number(guided_alignment_loss(three_steps(), two_sentences())) == Approx(expected));
  Batch unlinked = two_sentences();
  unlinked.sure = {{}, {}};
  CHECK(number(guided_alignment_loss(three_steps(), unlinked)) == 0);
  unlinked.sure.clear();
  CHECK(number(guided_alignment_loss(three_steps(), unlinked)) == 0);
}

TEST_CASE("guided alignment: a weight of zero costs a finite loss and gets no gradient") {
  Batch batch = two_sentences();
  batch.sure = {{{2, 1}, {0, 1}}, {}};
  const Var alpha = autograd::variable(Array({2, 3}, {Real(.5), Real(.5), 0, 1, 0, 0}));
  const Var attention = concat({slice(three_steps(), 0, 0, 2), alpha, slice(three_steps(), 0, 4, 6)}, 0);
  const Var loss = guided_alignment_loss(attention, batch);
  CHECK(number(loss) == Approx(-std::log(.5) / 2 - std::log(1e-8) / 2));
  backward(loss);
  CHECK(alpha.grad()[2] == 0);
  CHECK(alpha.grad()[0] == Approx(-.5 / .5));
  CHECK(alpha.grad()[1] == 0);
}

// See et al. 2017, eq. 10 and 12.
TEST_CASE("coverage loss: it is the repeated attention up to the earlier sum, without padding") {
  // First sentence, step 1: min(.1, .5) + min(.6, .25) + min(.3, .25).
  // First sentence, step 2: min(.2, .6) + min(.7, .85) + min(.1, .55).
  // Second sentence, step 1: min(.3, .8) + min(.7, .2). Its step 2 is padding.
  CHECK(number(coverage_loss(three_steps(), two_sentences())) == Approx(.6 + 1.0 + .5));
  Batch single = two_sentences();
  single.targets.steps = 1;
  CHECK(number(coverage_loss(slice(three_steps(), 0, 0, 2), single)) == 0);
}

TEST_CASE("the gradients of both losses equal central differences", "[gradcheck]") {
  Random random(4);
  std::vector<Var> scores;
  for (int t = 0; t < 3; ++t) scores.push_back(autograd::variable(compare::random_array({2, 3}, random)));
  const Batch batch = two_sentences();
  const auto weights = [](const std::vector<Var>& v) {
    std::vector<Var> attention;
    for (const Var& s : v) attention.push_back(softmax(s));
    return concat(attention, 0);
  };
  const auto guided = gradcheck([&](const auto& v) { return guided_alignment_loss(weights(v), batch); }, scores);
  INFO(guided.report);
  CHECK(guided.ok);
  const auto coverage = gradcheck([&](const auto& v) { return coverage_loss(weights(v), batch); }, scores);
  INFO(coverage.report);
  CHECK(coverage.ok);
  const auto even = gradcheck([&](const auto& v) { return doubly_stochastic_loss(weights(v), batch, .7); }, scores);
  INFO(even.report);
  CHECK(even.ok);
}

TEST_CASE("missing attention and links outside the pair cannot be supervised") {
  Batch batch = two_sentences();
  CHECK_THROWS_WITH(guided_alignment_loss({}, batch), Catch::Contains("only a model with attention"));
  CHECK_THROWS_WITH(coverage_loss({}, batch), Catch::Contains("only a model with attention"));
  batch.sure[1] = {{0, 2}};
  CHECK_THROWS_WITH(guided_alignment_loss(three_steps(), batch),
                    Catch::Contains("link 0-2 in a pair of 1 and 1 words"));
}

// Xu et al. 2015, eq. 14.
TEST_CASE("doubly stochastic loss: it compares each position's total attention with its target, without padding") {
  // The sums of the first sentence are .5+.1+.2, .25+.6+.7 and .25+.3+.1, of the second .8+.3 and .2+.7.
  const double expected = std::pow(.7 - .8, 2) + std::pow(.7 - 1.55, 2) + std::pow(.7 - .65, 2) +  //
                          std::pow(.7 - 1.1, 2) + std::pow(.7 - .9, 2);
  CHECK(number(doubly_stochastic_loss(three_steps(), two_sentences(), .7)) == Approx(expected));
  CHECK_THROWS_AS(doubly_stochastic_loss(Var(), two_sentences(), 1), std::invalid_argument);
}
