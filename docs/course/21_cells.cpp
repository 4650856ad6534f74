// Chapters 21 and 22 use pictures of two cells. The program prints gradients of a sampled cell with and without a
// baseline, captions with and without positions of the cells, and the doubly stochastic penalty.
#include <cmath>
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "models/pictures/show_attend_tell.h"
#include "models/training/hard_attention.h"
#include "models/training/losses.h"

using namespace softalign;
using namespace models;
using autograd::constant;

namespace {

constexpr Id red = 4;

Var row(std::initializer_list<Real> numbers) { return constant(Array({numbers.size()}, numbers)); }

// Returns d loss / d e_1 if this cell was sampled. There are two cells, with equal scores.
double gradient(const HardAttention& hard, const Var& losses, Id cell) {
  const Var e = autograd::variable(Array({1, 2}, 0));
  Rewards rewards;
  backward(reinforcement(slice(losses, 0, static_cast<std::size_t>(cell), static_cast<std::size_t>(cell) + 1), {red},
                         {{softmax(e), {cell}}}, hard, rewards));
  return e.grad()[0];
}

void sample_cells() {
  const Var losses = row({-std::log(Real(.9)), -std::log(Real(.1))});  // the word is "red", and the first cell is
  HardAttention hard{.baseline = Array({1}, 0), .entropy = 0};
  std::printf("d loss / d e_1        drew cell 1   drew cell 2      mean   deviation\n");
  for (const bool baseline : {false, true}) {
    for (int step = 0; baseline && step < 200; ++step) {
      Rewards rewards;
      reinforcement(losses, {red, red}, {{constant(Array({2, 2}, Real(.5))), {0, 1}}}, hard, rewards);
      follow(hard.baseline, rewards);
    }
    const double first = gradient(hard, losses, 0), second = gradient(hard, losses, 1);
    std::printf("%-18s %14.2f %13.2f %9.2f %11.2f\n", baseline ? "b: the mean of R" : "b = 0", first, second,
                (first + second) / 2, std::abs(first - second) / 2);
  }
}

void exchange_cells() {
  const std::size_t D = 4;
  const autograd::Params p(Random(1));
  ModelOptions sizes;
  sizes.target_vocabulary = 7, sizes.embedding = sizes.hidden = sizes.attention_size = 8;
  sizes.initialiser = layers::InitialiserKind::standard;
  const ShowAttendTell decoder(sizes, D, p);
  Random random(2);
  for (const autograd::Parameter& parameter : p.all())
    for (Real& number : parameter.var.mutable_value().span()) number = static_cast<Real>(.7 * random.normal());
  const Var red_over_blue = constant(Array({2, 1, D}, {1, 0, 0, 0, 0, 1, 0, 0}));  // red, blue, upper, lower
  const Var blue_over_red = constant(Array({2, 1, D}, {0, 1, 0, 0, 1, 0, 0, 0}));
  const Var P = constant(Array({2, 1, D}, {0, 0, 1, 0, 0, 0, 0, 1}));
  const Targets caption{4, {2, 4, 5, 6}, {4, 5, 6, 3}};  // "red above blue"
  const auto loss = [&](const Var& a) {
    return sum(decoder.teacher_forced(decoder.memory(a), caption, nullptr).losses).value().item();
  };
  std::printf("\n-log p(red above blue)    red over blue   blue over red\n");
  std::printf("cells without positions %15.3f %15.3f\n", loss(red_over_blue), loss(blue_over_red));
  std::printf("cells with positions %18.3f %15.3f\n", loss(red_over_blue + P), loss(blue_over_red + P));
}

void spread_attention() {
  data::Batch two_words;
  two_words.size = 1, two_words.source_steps = two_words.targets.steps = 2;
  two_words.source_lengths = two_words.target_lengths = {2};
  std::printf("\npenalty for the attention of two words\n");
  const auto report = [&](const char* words, std::initializer_list<Real> alpha) {
    const Var penalty = doubly_stochastic_loss(constant(Array({2, 2}, alpha)), two_words, 1);
    std::printf("%-34s %9.2f\n", words, penalty.value().item());
  };
  report("each at a cell of its own", {1, 0, 0, 1});
  report("both at both equally", {.5, .5, .5, .5});
  report("both at the first", {1, 0, 1, 0});
  report("one at the first, one at both", {1, 0, .5, .5});
}

}  // namespace

int main() {
  sample_cells();
  exchange_cells();
  spread_attention();
}
