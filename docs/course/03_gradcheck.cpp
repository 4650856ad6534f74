// In chapter 3, a gradient check finds a wrong rule. The program uses the engine in double precision.
#include <cmath>
#include <cstdio>

#include "autograd/gradcheck.h"

using namespace softalign;
using namespace autograd;

// y = 1 / (1 + e^-x)   dx = dy y (1 - y)     `slip` forgets the last factor
Var sigmoid(const Var& x, bool slip) {
  Array y(x.shape());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1 / (1 + std::exp(-x.value()[i]));
  return Var("sigmoid", y, {x}, [x, slip](const Array& dy, const Array& value) {
    Array dx(dy.shape());
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] = dy[i] * value[i] * (slip ? 1 : 1 - value[i]);
    x.add_grad(dx);
  });
}

int main() {
  const Var x = variable(Array({3}, {-1, 0, 2}));
  for (const bool slip : {false, true}) {
    const auto check = gradcheck([&](const std::vector<Var>& in) { return sigmoid(in[0], slip); }, {x});
    std::printf("%s: %zu elements, worst error %s\n%s", check.ok ? "right" : "wrong", check.checked,
                check.worst < 1e-9 ? "below 1e-9" : "large", check.report.c_str());
  }

  // Errors of the difference quotient of e^x at 1 (the derivative is e), for steps from 1e-1 to 1e-13.
  for (int digits = 1; digits <= 13; digits += 3) {
    const double h = std::pow(10, -digits);
    const double off = std::abs((std::exp(1 + h) - std::exp(1 - h)) / (2 * h) - std::exp(1.0));
    std::printf("step 1e-%02d: off by about 1e%.0f\n", digits, std::floor(std::log10(off) + 0.5));
  }
}
