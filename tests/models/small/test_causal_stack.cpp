// A causal stack sees no word behind the one it reads, whatever its layers are made of.
#include <algorithm>

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "models/small/causal_stack.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;

const std::vector<std::string> kinds{"softmax", "linear", "delta", "positional", "factorized", "lstm"};

CausalStack::Options tiny(const std::string& kind) {
  return {.kind = kind, .layers = 2, .words = 7, .width = 4, .places = 6};
}

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("causal stack: gradients equal central differences") {
  for (const std::string& kind : kinds) {
    INFO(kind);
    const Params p{Random(1)};
    const CausalStack model(tiny(kind), p);
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(model({1, 2, 3, 4, 5, 6}, 2).logits, {3, 4, 5, 6, 1, 2}, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("causal stack: what comes later changes nothing, what came before does") {
  for (const std::string& kind : kinds) {
    INFO(kind);
    const Params p{Random(2)};
    const CausalStack model(tiny(kind), p);
    const auto of_second = [&](const Ids& words) {
      const Array logits = model(words, 1).logits.value();
      Array row({7});
      std::copy_n(logits.data() + 7, 7, row.data());
      return row;
    };
    CHECK(compare::relative_error(of_second({1, 2, 3}), of_second({1, 2, 5})) == 0);
    CHECK(compare::relative_error(of_second({1, 2, 3}), of_second({4, 2, 3})) > 1e-4);
  }
}

TEST_CASE("causal stack: each layer's weights are a row for each word, on itself and those before it") {
  const Params p{Random(3)};
  const auto out = CausalStack(tiny("softmax"), p)({1, 2, 3}, 1);
  REQUIRE(out.weights.size() == 2);
  for (const Var& weights : out.weights)
    for (std::size_t t = 0; t < 3; ++t)
      for (std::size_t i = 0; i < 3; ++i) CHECK((weights.value()[t * 3 + i] > 0) == (i <= t));
}
