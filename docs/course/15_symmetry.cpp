// Chapter 15 compares self-attention over a sentence and over its shuffled words, also with positions or a causal mask.
#include <cstdio>
#include <string>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "layers/attention/multi_head.h"
#include "layers/transformer/positions.h"

using namespace softalign;
using namespace layers;

int main() {
  const std::size_t n = 5, d = 16;
  const std::vector<std::string> words{"the", "old", "cat", "sees", "us"};
  const std::vector<std::size_t> order{3, 0, 4, 2, 1};
  const Params p(Random(3));
  const MultiHead self(p, d, 2, initialiser_config(InitialiserKind::standard));
  Random random(5);
  Array sentence({n, 1, d}), shuffled({n, 1, d});
  for (Real& number : sentence.span()) number = static_cast<Real>(1.5 * random.normal());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < d; ++c) shuffled[i * d + c] = sentence[order[i] * d + c];

  const auto of_itself = [&](const Var& x, const Mask& mask = {}) {
    return self(self.query(x), self.keys(x), mask, ReturnWeights::yes);
  };
  // The largest |f(P x) - P f(x)|.
  const auto apart = [&](const Var& f_of_x, const Var& f_of_shuffled) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < d; ++c)
        most = std::max<double>(most, std::abs(f_of_shuffled.value()[i * d + c] - f_of_x.value()[order[i] * d + c]));
    return most;
  };
  const Var x = autograd::constant(sentence), other = autograd::constant(shuffled);
  const AttentionOutput a = of_itself(x), b = of_itself(other);
  const Var P = autograd::constant(sinusoids(0, n, d).reshaped({n, 1, d}));
  std::printf("f(P x) and P f(x) are apart by\n");
  std::printf("  self-attention     %s\n", apart(a.context, b.context) < 1e-5 ? "rounding" : "more");
  std::printf("  with positions     %.2f\n", apart(of_itself(x + P).context, of_itself(other + P).context));
  std::printf("  causal             %.2f\n\n",
              apart(of_itself(x, {.causal = true}).context, of_itself(other, {.causal = true}).context));

  const auto draw = [&](const Var& weights, const std::vector<std::size_t>& at) {
    std::printf("     ");
    for (const std::size_t j : at) std::printf("%5s", words[j].c_str());
    for (std::size_t i = 0; i < n; ++i) {
      std::printf("\n%5s", words[at[i]].c_str());
      for (std::size_t j = 0; j < n; ++j) {
        const Real weight = weights.value()[i * 2 * n + j];  // of the first head
        weight == 0 ? std::printf("    ·") : std::printf("%5.0f", 100 * weight);
      }
    }
    std::printf("\n\n");
  };
  draw(a.weights, {0, 1, 2, 3, 4});
  draw(b.weights, order);
  draw(of_itself(x, {.causal = true}).weights, {0, 1, 2, 3, 4});
}
