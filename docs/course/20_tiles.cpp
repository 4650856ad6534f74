// Chapter 20 computes attention tile by tile, by hand and with the kernel, and measures how much memory it needs.
#include <cmath>
#include <cstdio>

#include "autograd/memory.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "layers/attention/scaled_dot_product.h"

using namespace softalign;
using namespace layers;

namespace {

Var normals(const Shape& shape, Random& random) {
  Array a(shape);
  for (Real& x : a.span()) x = static_cast<Real>(random.normal());
  return autograd::variable(a);
}

}  // namespace

int main() {
  const double e[] = {1, 3, 2, 5}, v[] = {10, 20, 30, 40};
  double m = -INFINITY, l = 0, o = 0;
  std::printf("scores 1 3 | 2 5, values 10 20 | 30 40\n   tile      m        l         o      o / l\n");
  for (int tile = 0; tile < 2; ++tile) {
    const double next = std::max({m, e[2 * tile], e[2 * tile + 1]}), c = std::exp(m - next);
    l *= c, o *= c;
    for (int j = 2 * tile; j < 2 * tile + 2; ++j) l += std::exp(e[j] - next), o += std::exp(e[j] - next) * v[j];
    m = next;
    std::printf("%7d %6.0f %8.4f %9.4f %10.4f\n", tile + 1, m, l, o, o / l);
  }
  double sum = 0, weighted = 0;
  for (int j = 0; j < 4; ++j) sum += std::exp(e[j]), weighted += std::exp(e[j]) * v[j];
  std::printf("all at once: %32.4f\n\n", weighted / sum);

  std::printf(
      "memory of attention and its gradient, 2 heads of 32 numbers, MB\n    n     weights kept   in tiles   apart "
      "by\n");
  for (const std::size_t n : {256, 512, 1024, 2048}) {
    Array gradient[2];
    double most[2];
    for (const bool tiled : {false, true}) {
      const autograd::KernelsInForce in_force(tiled ? autograd::Kernels::tiled : autograd::Kernels::fused);
      Random random(1);
      const Var q = normals({n, 1, 64}, random), k = normals({n, 1, 64}, random), value = normals({n, 1, 64}, random);
      const std::size_t before = autograd::array_bytes().now;
      autograd::forget_most_array_bytes();
      backward(autograd::sum(attention(q, k, value, 2, {.causal = true}, ReturnWeights::no).context));
      most[tiled] = static_cast<double>(autograd::array_bytes().most - before) / 1e6;
      gradient[tiled] = q.grad();
    }
    double apart = 0;
    for (std::size_t i = 0; i < gradient[0].size(); ++i)
      apart = std::max<double>(apart, std::abs(gradient[0][i] - gradient[1][i]));
    std::printf("%5zu %16.1f %10.1f %10s\n", n, most[0], most[1], apart < 1e-4 ? "rounding" : "more");
  }
}
