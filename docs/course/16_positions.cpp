// Chapter 16 prints sinusoidal positions, their dot products, and scores of rotated queries and keys (RoPE).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "layers/transformer/positions.h"

using namespace softalign;
using namespace layers;

int main() {
  const std::size_t n = 32, d = 64;
  const Array P = sinusoids(0, n, d);
  std::printf("columns 0, 2 .. 62 of the first 12 positions\n");
  for (std::size_t i = 0; i < 12; ++i) {
    std::printf("%3zu  ", i);
    for (std::size_t c = 0; c < d; c += 2) std::printf("%c", " .:-=+*#%"[static_cast<int>(4.49 + 4 * P[i * d + c])]);
    std::printf("\n");
  }

  const auto dot = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < d; ++c) sum += P[i * d + c] * P[j * d + c];
    return sum;
  };
  std::printf("\n p_i . p_j      of i = 8     of i = 20\n");
  for (int delta = -6; delta <= 6; delta += 2) {
    const double of_8 = dot(8, static_cast<std::size_t>(8 + delta)),
                 of_20 = dot(20, static_cast<std::size_t>(20 + delta));
    std::printf("  j = i %+d %10.2f %12.2f  %s\n", delta, of_8, of_20,
                std::string(static_cast<std::size_t>(of_8), '#').c_str());
  }

  std::printf("\nthe angle of pair j in one step, in degrees:");
  for (const int j : {0, 8, 16, 24})
    std::printf("  %.3f", 180 / std::numbers::pi * std::pow(10000, -2.0 * j / static_cast<double>(d)));

  // RoPE rotates the query and the key, so the score depends only on the distance i - j of their positions.
  Random random(1);
  Array q({1, 1, d}), k({1, 1, d});
  for (Real& x : q.span()) x = static_cast<Real>(random.normal());
  for (Real& x : k.span()) x = static_cast<Real>(random.normal());
  const auto score = [&](std::size_t i, std::size_t j) {
    return autograd::sum(RotaryEmbedding(i, 1, d)(autograd::constant(q)) *
                         RotaryEmbedding(j, 1, d)(autograd::constant(k)))
        .value()
        .item();
  };
  std::printf("\nrotated q_i . k_j: (5, 3) %.3f   (25, 23) %.3f   (5, 4) %.3f\n", score(5, 3), score(25, 23),
              score(5, 4));
}
