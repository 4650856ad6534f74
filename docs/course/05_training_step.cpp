// Chapter 5 does one step of training, from letters to new weights, and shows how the step changes the loss.
#include <cmath>
#include <cstdio>

#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/dense/output.h"
#include "layers/recurrent/lstm.h"

using namespace softalign;
using namespace layers;

namespace {

// Reads B words of n letters, one letter per step, and names the first letter of each at the end.
struct Rememberer {
  static constexpr std::size_t letters = 10, width = 16;
  Embedding E;
  LSTM lstm;
  Linear output;
  explicit Rememberer(const Params& p)
      : E(p / "letters", letters, width, normal_by_width()),
        lstm(p / "lstm", width, width, initialiser_config(InitialiserKind::standard)),
        output(p / "output", width, letters, glorot()) {}

  // words (n*B), letter t of all words, then letter t + 1  ->  the mean of -log p(first letter) over the words
  Var loss(const Ids& words, std::size_t B) const {
    const Var x = E(words, B);  // (n, B, width)
    const Var zero = autograd::constant(Array({B, width}, 0));
    LSTMState s{zero, zero};
    for (std::size_t t = 0; t < x.dim(0); ++t) s = lstm(at(x, t), s);
    const Ids first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(B));
    return mean(output_cross_entropy(s.h, output.W, output.b, first, 0, letters));
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
  const Rememberer model(p);
  Random random(2);
  const auto batch = [&] {
    Ids words(6 * 32);
    for (auto& letter : words) letter = static_cast<Id>(random.uniform() * Rememberer::letters);
    return words;
  };
  autograd::Optimiser adam(p, {.kind = autograd::OptimiserKind::adam});

  const Ids words = batch();
  const Var loss = model.loss(words, 32);
  std::printf("loss %.2f: a guess among 10 letters has log 10 = %.2f\n\n", loss.value().item(), std::log(10.0));
  backward(loss);
  std::printf("of %zu numbers         |weights| |gradient|\n", p.count());
  for (const auto& [name, var] : p.all())
    if (var.shape().rank() == 2)
      std::printf("%-14s %3zux%-3zu %9.2f %10.3f\n", name.c_str(), var.dim(0), var.dim(1), length(var.value()),
                  length(var.grad()));

  const double before = model.output.W.value()[0], g = model.output.W.grad()[0];
  adam.step(0.01);
  std::printf("\noutput/W[0, 0]: gradient %.5f, it moved by %.5f\n", g, model.output.W.value()[0] - before);
  std::printf("the same words again: loss %.2f\n\n", model.loss(words, 32).value().item());

  for (int step = 2; step <= 1000; ++step) {
    const Var now = model.loss(batch(), 32);
    if (step == 10 || step == 50 || step == 100 || step == 200 || step == 500 || step == 1000)
      std::printf("step %4d: loss %.3f\n", step, now.value().item());
    backward(now);
    adam.step(0.01);
  }
}
