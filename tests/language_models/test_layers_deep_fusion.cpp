// Compares deep fusion with numbers by hand, and checks its gradients.
#include "layers/recurrent/lstmn.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;

constexpr std::size_t R = 2, D = 3, E = 2, H = 2;

}  // namespace

// Cheng et al. 2016, eq. 13-15.
TEST_CASE("deep fusion: c = r * alpha~ + f * c~ + i * c^, number by number") {
  Params p(Random(1));
  const DeepFusion fusion(p, D, E, H, initialiser_config(InitialiserKind::standard));
  Random random(2);
  compare::randomise(p, random, 1);
  const Array a = random_array({R, 4 * H}, random), c_tilde = random_array({R, H}, random);
  const Array gamma = random_array({R, D}, random), alpha = random_array({R, H}, random);
  const Array x = random_array({R, E}, random);
  const LSTMState now = fusion(constant(a), constant(c_tilde), constant(gamma), constant(alpha), constant(x));
  const auto sigma = [](double z) { return 1 / (1 + std::exp(-z)); };
  for (std::size_t n = 0; n < R; ++n)
    for (std::size_t k = 0; k < H; ++k) {
      double inside = fusion.W_r.b.value()[k];
      for (std::size_t d = 0; d < D; ++d)
        inside += static_cast<double>(gamma[n * D + d]) * fusion.W_r.W.value()[d * H + k];
      for (std::size_t e = 0; e < E; ++e)
        inside += static_cast<double>(x[n * E + e]) * fusion.W_r.W.value()[(D + e) * H + k];
      const auto gate = [&](std::size_t quarter) { return static_cast<double>(a[n * 4 * H + quarter * H + k]); };
      const double c =
          sigma(inside) * alpha[n * H + k] + sigma(gate(1)) * c_tilde[n * H + k] + sigma(gate(0)) * std::tanh(gate(2));
      CHECK(static_cast<double>(now.c.value()[n * H + k]) == Approx(c).epsilon(1e-5));
      CHECK(static_cast<double>(now.h.value()[n * H + k]) == Approx(sigma(gate(3)) * std::tanh(c)).epsilon(1e-5));
    }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("deep fusion: gradients equal central differences") {
  Params p(Random(1));
  const DeepFusion fusion(p, D, E, H, initialiser_config(InitialiserKind::standard));
  Random random(3);
  compare::randomise(p, random, 1);
  std::vector<Var> inputs;
  for (const Shape& shape : {Shape{R, 4 * H}, Shape{R, H}, Shape{R, D}, Shape{R, H}, Shape{R, E}})
    inputs.push_back(variable(random_array(shape, random)));
  for (const Parameter& parameter : p.all()) inputs.push_back(parameter.var);
  const GradcheckResult check = gradcheck(
      [&](const std::vector<Var>& in) {
        const LSTMState now = fusion(in[0], in[1], in[2], in[3], in[4]);
        return concat({now.h, now.c}, 0);
      },
      inputs);
  INFO(check.report);
  CHECK(check.ok);
}
#endif
