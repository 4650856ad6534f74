// Chapter 13 estimates a curve from noisy points, by attention with a kernel whose width is fixed or learnt.
#include <cmath>
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "layers/pooling/kernel_pooling.h"

using namespace softalign;
using namespace layers;

double curve(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

// The mean squared difference between the estimates at the points and the measured values.
Var loss_of(const KernelPooling& pooling, const Var& x, const Var& y, LeaveOneOut leave_one_out) {
  return mean(square(pooling(x, x, y, leave_one_out).values - y));
}

int main() {
  const std::size_t N = 50, M = 101;
  Random random(1);
  Array points({N, 1}), measured({N, 1}), everywhere({M, 1});
  for (std::size_t i = 0; i < N; ++i) {
    points[i] = static_cast<Real>(5.0 * (static_cast<double>(i) + random.uniform()) / N);
    measured[i] = static_cast<Real>(curve(points[i]) + 0.5 * random.normal());
  }
  for (std::size_t m = 0; m < M; ++m) everywhere[m] = static_cast<Real>(0.05 * static_cast<double>(m));
  const Var x = autograd::constant(points), y = autograd::constant(measured), grid = autograd::constant(everywhere);

  const auto learnt = [&](LeaveOneOut leave_one_out) {
    const Params p(Random(1));
    const KernelPooling pooling(p, Kernel::gaussian);
    autograd::Optimiser adam(p, {.kind = autograd::OptimiserKind::adam});
    for (int step = 0; step < 400; ++step) {
      backward(loss_of(pooling, x, y, leave_one_out));
      adam.step(0.1);
    }
    return pooling.w.value().item();
  };
  std::printf("                             w   from the curve\n");
  const auto report = [&](const char* name, double w) {
    const Array f = kernel_pooling(Kernel::gaussian, autograd::constant(Array({1}, static_cast<Real>(w))), grid, x, y)
                        .values.value();
    double squares = 0;
    for (std::size_t m = 0; m < M; ++m) squares += std::pow(f[m] - curve(everywhere[m]), 2) / M;
    std::printf("%-22s %7.2f %12.2f\n", name, w, std::sqrt(squares));
  };
  const double w = learnt(LeaveOneOut::yes);
  report("the mean of all", 0);
  report("as wide as 1", 1);
  report("learnt", w);
  report("learnt, own point seen", learnt(LeaveOneOut::no));

  std::printf("\nweights of the queries 0.5, 1.5 .. 4.5 over the keys, 0 to 5\n");
  const Var queries = autograd::constant(Array({5, 1}, {0.5, 1.5, 2.5, 3.5, 4.5}));
  for (const double width : {1.0, w}) {
    const Array alpha =
        kernel_pooling(Kernel::gaussian, autograd::constant(Array({1}, static_cast<Real>(width))), queries, x, y)
            .weights.value();
    for (std::size_t m = 0; m < 5; ++m) {
      std::printf("%8s ", m == 0 ? width == 1 ? "w = 1" : "learnt" : "");
      for (std::size_t i = 0; i < N; ++i) std::printf("%c", " .:-=+*#"[std::min<int>(7, alpha[m * N + i] * 60)]);
      std::printf("\n");
    }
  }
}
