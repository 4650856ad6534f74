// Compares positional attention with PyTorch, and checks properties that hold for any weights.
#include "layers/attention/positional.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t L = 7, S = 5, B = 2, K = 2, d = 3;

Var random_var(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  return variable(random_array(shape, random));
}

}  // namespace

TEST_CASE("positional and factorized positional attention equal PyTorch") {
  for (const std::string& name : golden::cases("positional_attention")) {
    INFO(name);
    golden::Golden g("positional_attention", name);
    const bool factors = name == "factors";
    const Var P = factors ? batched_matmul(g("F_1"), transpose(g("F_2"), {0, 2, 1})) : g("P");
    const Mask mask{.lengths = g.fact<std::vector<std::size_t>>("lengths"), .causal = g.fact<bool>("causal")};
    const AttentionOutput y = positional_attention(P, g("v"), g.fact<std::size_t>("d_k"), mask);
    g.check({{"y", y.context}, {"weights", y.weights}});
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("positional attention: gradients equal central differences") {
  const std::vector<Var> inputs{random_var({K, L, L}, 1), random_var({S, B, K * d}, 2)};
  for (const bool causal : {false, true}) {
    const GradcheckResult check = gradcheck(
        [&](const std::vector<Var>& in) {
          return positional_attention(in[0], in[1], d, {.lengths = {S, 3}, .causal = causal}).context;
        },
        inputs);
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("positional attention ignores words, its rows sum to 1, and causal rows cover the past only") {
  const Var P = random_var({K, L, L}, 3);
  const auto weights = [&](std::uint64_t words, const Mask& mask) {
    return positional_attention(P, random_var({S, B, K * d}, words), d, mask).weights.value();
  };
  CHECK(compare::same_bits(weights(4, {}), weights(5, {})));
  const Array A = weights(4, {.lengths = {S, 3}, .causal = true});  // (S*B, K, S)
  for (std::size_t t = 0; t < S; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t k = 0; k < K; ++k) {
        double total = 0;
        for (std::size_t j = 0; j < S; ++j) {
          const Real a = A[((t * B + b) * K + k) * S + j];
          if (j > t || (b == 1 && j >= 3)) CHECK(a == 0);
          total += double(a);
        }
        CHECK(total == Approx(1).margin(1e-6));
      }
}

TEST_CASE("equal scores at all positions give the mean, and a far larger score at one position gives its value") {
  const Var v = random_var({S, B, K * d}, 6);
  const Array flat = positional_attention(constant(autograd::zeros({K, L, L})), v, d, {}).weights.value();
  for (const Real a : flat.span()) CHECK(double(a) == Approx(1.0 / S));
  Array reverse = autograd::zeros({K, L, L});
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t t = 0; t < S; ++t) reverse[(k * L + t) * L + S - 1 - t] = 1000;
  const Array y = positional_attention(constant(reverse), v, d, {}).context.value();
  for (std::size_t t = 0; t < S; ++t) CHECK(relative_error(y.rows(t, t + 1), v.value().rows(S - 1 - t, S - t)) < exact);
}

// Luo et al. 2024: a table of rank r is a product of factors of rank r, for example P = (P) (I)'.
TEST_CASE("factors of full rank represent every position table, and their product begins with a deviation of .01") {
  const Params p(Random(7));
  const FactorizedPositionTable full(p / "full", K, L, L);
  const Var P = random_var({K, L, L}, 8);
  std::copy_n(P.value().data(), P.value().size(), full.F_1.mutable_value().data());
  Array& identity = full.F_2.mutable_value();
  for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = i % (L * L) % (L + 1) == 0 ? 1 : 0;
  CHECK(relative_error(full().value(), P.value()) < exact);
  for (const std::size_t r : {1, 8, 40}) {
    const FactorizedPositionTable factors(p / std::to_string(r), 2, 150, r);
    double squares = 0;
    const Array product = factors().value();
    for (const Real x : product.span()) squares += double(x) * double(x);
    CHECK(std::sqrt(squares / double(product.size())) == Approx(0.01).epsilon(r == 1 ? 0.15 : 0.05));
  }
  CHECK(p.count() == 2 * K * L * L + 2 * 2 * 150 * (1 + 8 + 40));
}

TEST_CASE("positional attention refuses more steps than it has positions") {
  const PositionTable table(Params(Random(9)), K, L);
  CHECK(table().shape() == Shape{K, L, L});
  CHECK_NOTHROW(positional_attention(table(), random_var({L, B, K * d}, 1), d, {}));
  const Var longer = random_var({L + 1, B, K * d}, 1);
  CHECK_THROWS_WITH(positional_attention(table(), longer, d, {}),
                    Catch::StartsWith("the source has 8 tokens with </s>, but positional self-attention knows only 7"));
  CHECK_THROWS_WITH(positional_attention(table(), longer, d, {.causal = true}), Catch::StartsWith("the target has 8"));
  CHECK_THROWS_AS(positional_attention(table(), random_var({S, B, 5}, 1), d, {}), std::invalid_argument);
  CHECK_THROWS_AS(positional_attention(table(), random_var({S, B, K * d}, 1), d, {.lengths = {S}}),
                  std::invalid_argument);
}
