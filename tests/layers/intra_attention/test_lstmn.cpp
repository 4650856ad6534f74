// The LSTM that looks back at its states: PyTorch's numbers, gradients, and what must hold whatever the numbers are.
#include "layers/intra_attention/lstmn.h"

#include "autograd/gradcheck.h"
#include "tests/golden.h"

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t S = 5, B = 3, E = 3, H = 4, A = 2;

// Every parameter drawn, so that the weights are not all alike.
struct Drawn {
  Params p{Random(1)};
  Lstmn layer{p, E, H, A, scheme("default")};
  Var x;
  explicit Drawn(std::uint64_t seed) {
    Random random(seed);
    compare::randomise(p, random, 1);
    x = variable(random_array({S, B, E}, random));
  }
};

}  // namespace

// Cheng et al. 2016, eq. 4-9, section 3.2.
TEST_CASE("lstmn: states and weights equal torch's, with all gradients") {
  golden::Golden g("lstmn");
  Params p(Random(1));
  const Lstmn layer(p, 3, 4, 3, scheme("default"));
  g.adopt(p);
  const Lstmn::Output out = layer(g("x"));
  std::vector<std::pair<std::string, Var>> outputs{{"states", out.states}};
  for (std::size_t t = 1; t < 5; ++t) outputs.emplace_back("weights_" + std::to_string(t), out.weights[t - 1]);
  g.check(outputs);
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("lstmn: gradients equal central differences") {
  const Drawn drawn(2);
  std::vector<Var> inputs{drawn.x};
  for (const Parameter& parameter : drawn.p.all()) inputs.push_back(parameter.var);
  const GradcheckResult check =
      gradcheck([&](const std::vector<Var>& in) { return drawn.layer(in[0]).states; }, inputs);
  INFO(check.report);
  CHECK(check.ok);
}
#endif

TEST_CASE("lstmn: with the last state alone to look at it is an LSTM") {
  const Drawn drawn(3);
  LSTMState s{constant(autograd::zeros({B, H})), constant(autograd::zeros({B, H}))};
  const Var two = slice(drawn.x, 0, 0, 2);  // of two words the second has one state to look at
  const Lstmn::Output out = drawn.layer(two);
  for (std::size_t t = 0; t < 2; ++t) {
    s = drawn.layer.cell(at(two, t), s);
    CHECK(relative_error(at(out.states, t).value(), s.h.value()) < exact);
  }
  CHECK(relative_error(out.weights[0].value(), Array({B, 1}, 1)) < exact);
}

TEST_CASE(
    "lstmn: weights are a triangle of distributions, what comes later changes nothing, a text alone is as in a batch") {
  const Drawn drawn(4);
  const Lstmn::Output all = drawn.layer(drawn.x);
  REQUIRE(all.weights.size() == S - 1);
  for (std::size_t t = 1; t < S; ++t) {
    CHECK(all.weights[t - 1].shape() == Shape{B, t});
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < t; ++i) sum += static_cast<double>(all.weights[t - 1].value()[b * t + i]);
      CHECK(sum == Approx(1).epsilon(1e-5));
    }
    const Lstmn::Output first = drawn.layer(slice(drawn.x, 0, 0, t));
    CHECK(relative_error(first.states.value(), all.states.value().rows(0, t)) < exact);
  }
  const Lstmn::Output alone = drawn.layer(slice(drawn.x, 1, 1, 2));
  CHECK(relative_error(alone.states.value(), slice(all.states, 1, 1, 2).value()) < exact);
}
