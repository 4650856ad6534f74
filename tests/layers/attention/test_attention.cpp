// Every score and window is compared with PyTorch. The tests also check gradients and how wrong options are refused.
#include "autograd/gradcheck.h"
#include "autograd/ops/reduce.h"
#include "tests/golden.h"
#include "tests/layers/attention/attending.h"

using namespace softalign;

namespace {

using namespace attending;
using autograd::concat;
using Catch::Matchers::Contains;

AttentionOptions options_of(const golden::Golden& g, std::size_t query, std::size_t memory) {
  return {.score = value_named<ScoreKind>(g.fact<std::string>("score")).value(),
          .window = value_named<WindowKind>(g.fact<std::string>("scope")).value(),
          .query = query,
          .memory = memory,
          .size = g.fact<std::size_t>("size"),
          .positions = g.fact<std::size_t>("positions"),
          .half_width = g.fact<Real>("window"),
          .heads = g.fact<std::size_t>("heads"),
          .scale = g.fact<bool>("scale"),
          .coverage = g.fact<bool>("coverage")};
}

}  // namespace

// Bahdanau et al. 2015, eq. 5, eq. 6, section 3.1, appendix A.1.2.
// Luong et al. 2015, eq. 7-11, section 3.1, section 3.2.
// Tu et al. 2016, eq. 8; See et al. 2017, eq. 11.
// Vaswani et al. 2017, eq. 1, section 3.2.1, section 3.2.2.
TEST_CASE("every score with every attention window equals its PyTorch composition over three steps") {
  const std::vector<std::string> names = golden::cases("attention");
  CHECK(names.size() == 27);
  for (const std::string& name : names) {
    INFO(name);
    golden::Golden g("attention", name);
    Params p{Random(1)};
    const Var states = g("states");
    const std::vector<Var> queries{g("s0"), g("s1"), g("s2")};
    const AttentionOptions o = options_of(g, queries[0].dim(1), states.dim(1));
    const Attention attention(p, o, initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const AttentionMemory m = memory_of(attention, states, g.fact<std::vector<std::size_t>>("lengths"));
    std::vector<Var> contexts, weights, heads;
    for (const Seen& input : looks(attention, m, queries, g.fact<Ids>("sentence"))) {
      contexts.push_back(input.context);
      weights.push_back(input.weights);
      if (input.heads.defined()) heads.push_back(input.heads);
    }
    std::vector<std::pair<std::string, Var>> outputs{{"contexts", concat(contexts, 0)},
                                                     {"weights", concat(weights, 0)}};
    if (!heads.empty()) outputs.emplace_back("heads", concat(heads, 0));
    g.check(outputs);
  }
}

TEST_CASE("attentions refuse invalid inputs and report the reason") {
  const auto make = [](AttentionOptions o) {
    if (o.query == 0) o.query = o.memory = o.size = 4;
    Params p{Random(1)};
    return Attention(p, o, initialiser_config(InitialiserKind::standard));
  };
  CHECK_THROWS_WITH(make({.score = ScoreKind::none}), Contains("no score"));
  CHECK_THROWS_WITH(make({.score = ScoreKind::dot, .query = 4, .memory = 8, .size = 4}),
                    Contains("query of 4") && Contains("states of 8") && Contains("one size"));
  CHECK_THROWS_WITH(make({.score = ScoreKind::qkv, .query = 4, .memory = 4, .size = 4, .heads = 3}),
                    Contains("3 heads do not divide an attention size of 4"));
  CHECK_THROWS_WITH(make({.score = ScoreKind::qkv, .query = 4, .memory = 4, .size = 4, .heads = 0}),
                    Contains("0 heads"));
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("the gradients of every attention equal central differences") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    const Made made(o);
    const Var states = made.params.declare("states", {S * B, D}, normal(1));
    const Var first = made.params.declare("first", {R, D}, normal(1));
    const Var second = made.params.declare("second", {R, D}, normal(1));
    const auto check = autograd::gradcheck(made.params, [&] {
      std::vector<Var> all_of_it;
      for (const Seen& input : looks(made.attention, memory_of(made.attention, states), {first, second})) {
        all_of_it.push_back(input.context);
        all_of_it.push_back(input.weights);
        if (input.heads.defined()) all_of_it.push_back(reshape(input.heads, {R, o.heads * S}));
      }
      return concat(all_of_it, 1);
    });
    INFO(check.report);
    CHECK(check.ok);
    CHECK(check.worst < 1e-6);
  }
}
#endif
