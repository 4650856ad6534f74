// These tests check which past steps every kind of self-attention keeps and attends to.
#include "layers/state.h"
#include "layers/transformer/self_attention.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;

constexpr std::size_t d = 8, K = 2, T = 6, B = 3;

SelfAttention::Options options(SelfAttentionKind kind) {
  return {.kind = kind, .width = d, .heads = K, .max_positions = T};
}

Var random_steps(std::size_t steps, Random& random) { return constant(random_array({steps, B, d}, random)); }

}  // namespace

// Katharopoulos et al. 2020, section 3.4.
TEST_CASE("fast weights have a constant size, and caches grow with every step") {
  for (const auto& [name, kind] : names_of(SelfAttentionKind{})) {
    INFO(name);
    Random random(14);
    const Params p{Random(15)};
    const SelfAttention self(p, options(kind), initialiser_config(InitialiserKind::standard));
    std::vector<std::size_t> sizes;
    KVCache cache;
    for (std::size_t t = 0; t < 3; ++t) {
      cache = self.step(random_steps(1, random), t, cache).cache;
      sizes.push_back(0);
      each_var("", cache, [&](const std::string&, const Var& part) { sizes.back() += part.value().size(); });
    }
    CHECK(sizes[1] == (kind == SelfAttentionKind::linear || kind == SelfAttentionKind::delta ? 1 : 2) * sizes[0]);
    CHECK(sizes[2] - sizes[1] == sizes[1] - sizes[0]);
  }
}

TEST_CASE("a step attends to earlier steps and itself, and no cache contains the future, for every rule") {
  for (const auto& [name, kind] : names_of(SelfAttentionKind{})) {
    INFO(name);
    Random random(16);
    const Params p{Random(17)};
    const SelfAttention self(p, options(kind), initialiser_config(InitialiserKind::standard));
    const Var x = random_steps(T, random);
    const Var other = concat({slice(x, 0, 0, T - 1), random_steps(1, random)}, 0);
    const auto before = [&](const Var& steps) {
      return slice(self(steps, {.causal = true}, ReturnWeights::no).context, 0, 0, T - 1).value();
    };
    CHECK(compare::same_bits(before(x), before(other)));
    const Var weights = self(x, {.causal = true}, ReturnWeights::yes).weights;
    CHECK(weights.defined() == (kind != SelfAttentionKind::delta));
    if (!weights.defined()) continue;
    REQUIRE(weights.shape() == Shape{T * B, K, T});
    for (std::size_t i = 0; i < T * B * K; ++i) {
      double row = 0;
      for (std::size_t s = 0; s < T; ++s) {
        row += weights.value()[i * T + s];
        CHECK((weights.value()[i * T + s] > 0) == (s <= i / K / B));
      }
      CHECK(row == Approx(1).epsilon(1e-5));
    }
  }
}
