// Chapter 1 computes a gradient with a Var in six lines. Its exercise adds the gradients of two backward passes.
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"

using namespace softalign;
using namespace autograd;

int main() {
  const Var x = variable(Array({2}, {1, 2}));
  const Var y = sum(x * tanh(x));
  backward(y);
  std::printf("y = %.4f\n", y.value().item());
  std::printf("dy/dx = %.4f %.4f\n", x.grad()[0], x.grad()[1]);

  // The exercise: two backward passes add their gradients to x.
  x.zero_grad();
  backward(sum(x * x));
  backward(sum(x));
  std::printf("both together = %.4f %.4f\n", x.grad()[0], x.grad()[1]);
}
