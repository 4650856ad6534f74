// Chapter 4 computes one step of an LSTM by hand and with the layer, and measures how far a gradient reaches back.
#include <cmath>
#include <cstdio>

#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "layers/recurrent/lstm.h"

using namespace softalign;
using namespace layers;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

int main() {
  const Params p(Random(1));
  const LSTM lstm(p, 1, 1,
                  initialiser_config(InitialiserKind::standard));  // one input, one unit: every gate is a number
  const Var x = autograd::constant(Array({1, 1}, 1)), h = autograd::constant(Array({1, 1}, Real(0.5)));
  const Var c = autograd::constant(Array({1, 1}, 2));
  const auto [h_next, c_next] = lstm(x, {h, c});

  const auto pre = [&](std::size_t gate) { return lstm.W.value()[gate] * 1 + lstm.U.value()[gate] * 0.5; };
  const double i = logistic(pre(0)), f = logistic(pre(1)), g = std::tanh(pre(2)), o = logistic(pre(3));
  const double c_by_hand = f * 2 + i * g, h_by_hand = o * std::tanh(c_by_hand);
  std::printf("a = (%.4f, %.4f, %.4f, %.4f)\n", pre(0), pre(1), pre(2), pre(3));
  std::printf("i = %.4f  f = %.4f  g = %.4f  o = %.4f\n", i, f, g, o);
  std::printf("by the layer: c' = %.4f  h' = %.4f\n", c_next.value().item(), h_next.value().item());
  std::printf("by hand:      c' = %.4f  h' = %.4f\n", c_by_hand, h_by_hand);

  // The bias of the forget gate decides how much of a gradient at c survives 50 steps of the backward pass.
  for (const double bias : {0.0, 2.0, 6.0}) {
    lstm.b.mutable_value()[1] = static_cast<Real>(bias);
    const Var first = autograd::variable(Array({1, 1}, 2));
    LSTMState state{autograd::constant(Array({1, 1}, 0)), first};
    for (int t = 0; t < 50; ++t) state = lstm(autograd::constant(Array({1, 1}, 0)), state);
    backward(sum(state.c));
    std::printf("forget bias %.0f: dc_50 / dc_0 = %.1e\n", bias, first.grad()[0]);
  }
}
