// Chapter 5: one step of training, from letters to new weights, and what it did to the loss.
#include <cmath>
#include <cstdio>

#include "autograd/ops/reduce.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "layers/dense/output.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"

using namespace softalign;
using namespace layers;

namespace {

// Reads B words of n letters and says, at every place, which letter stands there in the word read backwards.
struct Reverser {
  static constexpr std::size_t letters = 10, d = 32;
  Embedding E;
  EncoderBlock block;
  Linear output;
  explicit Reverser(const Params& p)
      : E(p / "letters", letters, d, normal_by_width()),
        block(p / "block", {.self = {.width = d}, .feed_forward = 64}, initialiser_config(InitialiserKind::standard)),
        output(p / "output", d, letters, glorot()) {}

  // words (n*B), letter i of all words, then letter i + 1  ->  the mean of -log p over all of them
  Var loss(const Ids& words, std::size_t B) const {
    const std::size_t n = words.size() / B;
    const Var P = autograd::constant(sinusoids(0, n, d).reshaped({n, 1, d}));
    const Var x = E(words, B) * Real(std::sqrt(d)) + P;        // (n, B, d)
    const Var y = block(x, {}, ReturnWeights::no, nullptr).x;  // (n, B, d)
    Ids backwards;
    for (std::size_t i = n; i-- > 0;)
      backwards.insert(backwards.end(), words.begin() + i * B, words.begin() + (i + 1) * B);
    return mean(output_cross_entropy(y, output.W, output.b, backwards, 0, letters));
  }
};

double length(const Array& a) {
  double squares = 0;
  for (const Real x : a.span()) squares += x * x;
  return std::sqrt(squares);
}

}  // namespace

int main() {
  const Params p(Random(1));
  const Reverser model(p);
  Random random(2);
  const auto batch = [&] {
    Ids words(6 * 32);
    for (auto& letter : words) letter = static_cast<Id>(random.uniform() * Reverser::letters);
    return words;
  };
  autograd::Optimiser adam(p, {.kind = autograd::OptimiserKind::adam});

  const Ids words = batch();
  const Var loss = model.loss(words, 32);
  std::printf("loss %.2f: even odds would be log 10 = %.2f\n\n", loss.value().item(), std::log(10.0));
  backward(loss);
  std::printf("of %zu numbers %23s %10s\n", p.count(), "|weights|", "|gradient|");
  for (const auto& [name, var] : p.all())
    if (name.ends_with("W") || name.ends_with("E"))
      std::printf("%-30s %3zux%-3zu %7.2f %10.3f\n", name.c_str(), var.dim(0), var.dim(1), length(var.value()),
                  length(var.grad()));

  const double before = model.output.W.value()[0], g = model.output.W.grad()[0];
  adam.step(0.003);
  std::printf("\noutput/W[0, 0]: gradient %.5f, it moved by %.5f\n", g, model.output.W.value()[0] - before);
  std::printf("the same words again: loss %.2f\n\n", model.loss(words, 32).value().item());

  for (int step = 2; step <= 500; ++step) {
    const Var now = model.loss(batch(), 32);
    if (step == 10 || step == 50 || step == 100 || step == 500)
      std::printf("step %3d: loss %.3f\n", step, now.value().item());
    backward(now);
    adam.step(0.003);
  }
}
