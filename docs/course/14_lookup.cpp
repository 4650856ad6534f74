// Chapter 14 does a soft look-up with two keys by hand and with the layer, then with longer queries and moved keys.
#include <cmath>
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "layers/attention/scaled_dot_product.h"

using namespace softalign;
using namespace layers;

int main() {
  const auto of = [](const Shape& shape, std::initializer_list<Real> numbers) {
    return autograd::constant(Array(shape, numbers));
  };
  const Var k = of({2, 1, 2}, {1, 0, 0, 1});    // two keys, (1, 0) and (0, 1)
  const Var v = of({2, 1, 2}, {10, 0, 0, 20});  // their values
  const auto attend = [&](const Var& q, const Var& keys) { return attention(q, keys, v, 1, {}); };

  const Var q = of({1, 1, 2}, {2, 1});
  const AttentionOutput attended = attend(q, k);
  const double e_1 = 2 / std::sqrt(2.0), e_2 = 1 / std::sqrt(2.0);
  const double a_1 = std::exp(e_1) / (std::exp(e_1) + std::exp(e_2));
  std::printf("by the layer: weights %.4f %.4f  o = (%.3f, %.3f)\n", attended.weights.value()[0],
              attended.weights.value()[1], attended.context.value()[0], attended.context.value()[1]);
  std::printf("by hand:      weights %.4f %.4f  o = (%.3f, %.3f)\n\n", a_1, 1 - a_1, 10 * a_1, 20 * (1 - a_1));

  std::printf("query       weights           o\n");
  for (const Real sharp : {0, 1, 4, 16}) {
    const AttentionOutput g = attend(q * sharp, k);
    std::printf("%4.0f q   %.4f %.4f   (%.3f, %.3f)\n", sharp, g.weights.value()[0], g.weights.value()[1],
                g.context.value()[0], g.context.value()[1]);
  }
  const AttentionOutput moved = attend(q, k + of({2}, {5, -3}));
  std::printf("\nall keys moved by (5, -3): weights %.4f %.4f\n", moved.weights.value()[0], moved.weights.value()[1]);
}
