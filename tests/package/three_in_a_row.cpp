// A model of one's own on the installed engine: an Elman network (Elman 1990, "Finding structure in time") reads eight
// bits, one a step, and learns to say whether three in a row of them are set.
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "layers/dense/linear.h"

using namespace softalign;
using namespace layers;

struct Elman {
  Linear input;  // (E, H)
  Var U;         // (H, H)
  Elman(const Params& p, std::size_t E, std::size_t H)
      : input(p, E, H, normal(1)), U(p.declare("U", {H, H}, orthogonal())) {}
  // h' = tanh(x W + b + h U)
  Var operator()(const Var& x, const Var& h) const { return tanh(input(x) + matmul(h, U)); }
};

int main() {
  const std::size_t bits = 8, all = 256, hidden = 16;
  std::vector<Array> x;  // x[t] (256, 1): bit t of every number below 256
  for (std::size_t t = 0; t < bits; ++t) {
    x.emplace_back(Shape{all, 1});
    for (std::size_t n = 0; n < all; ++n) x[t][n] = static_cast<Real>(n >> t & 1);
  }
  Ids row(all);
  for (std::size_t n = 0; n < all; ++n) row[n] = (n & n >> 1 & n >> 2) != 0;
  const Params p(Random(1));
  const Elman elman(p / "elman", 1, hidden);
  const Linear readout(p / "readout", hidden, 2, normal(0.1));
  autograd::Optimiser optimiser(p, {.kind = autograd::OptimiserKind::adam});
  for (int step = 1; step <= 200; ++step) {
    Var h = constant(autograd::zeros({all, hidden}));
    for (const Array& bit : x) h = elman(constant(bit), h);
    const Var logits = readout(h), loss = mean(cross_entropy(logits, row, {.ignore = -1}));
    std::size_t right = 0;
    for (std::size_t n = 0; n < all; ++n) right += (logits.value()[2 * n + 1] > logits.value()[2 * n]) == (row[n] == 1);
    if (step % 50 == 0) std::printf("step %3d: loss %.3f, %zu right\n", step, loss.value().item(), right);
    backward(loss);
    optimiser.step(0.01);
  }
}
