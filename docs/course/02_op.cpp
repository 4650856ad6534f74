// Chapter 2 defines an op outside of the engine, softplus, and the op of the exercise, cube.
#include <cmath>
#include <cstdio>

#include "autograd/ops/reduce.h"
#include "autograd/var.h"

using namespace softalign;
using namespace autograd;

// y = log(1 + e^x)     dx = dy / (1 + e^-x)
Var softplus(const Var& x) {
  Array y(x.shape());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::log1p(std::exp(x.value()[i]));
  return Var("softplus", y, {x}, [x](const Array& dy) {
    Array dx(dy.shape());
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i] / (1 + std::exp(-x.value()[i]));
    x.add_grad(dx);
  });
}

// y = x^3              dx = 3 dy x^2
Var cube(const Var& x) {
  Array y(x.shape());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x.value()[i] * x.value()[i] * x.value()[i];
  return Var("cube", y, {x}, [x](const Array& dy) {
    Array dx(dy.shape());
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = 3 * dy[i] * x.value()[i] * x.value()[i];
    x.add_grad(dx);
  });
}

int main() {
  for (const auto op : {softplus, cube}) {
    const Var x = variable(Array({3}, {-1, 0, 2}));
    const Var y = op(x);
    backward(sum(y));
    std::printf("%s(-1, 0, 2) = %.4f %.4f %.4f", y.op(), y.value()[0], y.value()[1], y.value()[2]);
    std::printf("   its derivative = %.4f %.4f %.4f\n", x.grad()[0], x.grad()[1], x.grad()[2]);
  }
}
