// Chapter 25 computes attention to the tape, and compares an LSTMN with an LSTM on texts of two and three words. It
// also prints the gradient of the last state with respect to the first word, for both networks.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "layers/recurrent/lstmn.h"

using namespace softalign;
using namespace layers;
using autograd::constant;

namespace {

void by_hand() {
  const Var a = constant(Array({1, 3}, {0, 2, 0}));                      // scores of three words
  const Var c = constant(Array({3, 1, 2}, {2, 0, -1, 3, Real(.5), 1}));  // their cells
  const Var s = softmax(a), mean = weighted_sum(s, c, {0});
  std::printf("weights %.3f %.3f %.3f   c~ = (%.3f, %.3f)\n\n", s.value()[0], s.value()[1], s.value()[2],
              mean.value()[0], mean.value()[1]);
}

struct Both {
  std::size_t n, E = 8, H = 16;
  Params p{Random(1)};
  Lstmn lstmn{p, E, H, 8, initialiser_config(InitialiserKind::standard)};
  Var x;
  explicit Both(std::size_t words) : n(words) {
    Random random(2);
    Array numbers({n, 1, E});
    for (Real& number : numbers.span()) number = static_cast<Real>(random.normal());
    x = autograd::variable(numbers);
  }
  Var lstm() const {  // the last state of the same cell without attention
    LSTMState s{constant(Array({1, H}, 0)), constant(Array({1, H}, 0))};
    for (std::size_t t = 0; t < n; ++t) s = lstmn.cell(at(x, t), s);
    return s.h;
  }
  Var lstmn_state() const { return at(lstmn.run(x).h, n - 1); }
};

double apart(const Var& a, const Var& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.value().size(); ++i)
    most = std::max<double>(most, std::abs(a.value()[i] - b.value()[i]));
  return most;
}

// Returns the length of the gradient d sum(h_n) / d x_word.
double gradient_length(const Var& last, const Both& both, std::size_t word) {
  both.x.zero_grad();
  backward(autograd::sum(last));
  double squares = 0;
  for (std::size_t c = 0; c < both.E; ++c) squares += std::pow(both.x.grad()[word * both.E + c], 2);
  return std::sqrt(squares);
}

}  // namespace

int main() {
  by_hand();
  for (const std::size_t n : {2, 3}) {
    const Both both(n);
    const double difference = apart(both.lstm(), both.lstmn_state());
    std::printf("%zu words: LSTM and LSTMN are apart by %s\n", n, difference < 1e-6 ? "rounding" : "more");
  }
  std::printf("\nwords       |dh_n/dx_1| of an LSTM            of an LSTMN\n");
  for (const std::size_t n : {5, 10, 20, 40, 80}) {
    const Both both(n);
    std::printf("%5zu %24.1e %25.1e\n", n, gradient_length(both.lstm(), both, 0),
                gradient_length(both.lstmn_state(), both, 0));
  }
}
