// Additive attention and the readout, as layers.
#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/shape.h"
#include "layers/attention/additive.h"
#include "layers/readout.h"
#include "tests/golden.h"

namespace {

using namespace layers;
using autograd::concat;
using autograd::constant;
using autograd::variable;
using Catch::Matchers::Contains;
using compare::random_array;

const std::vector<std::size_t> lengths{4, 1, 3};

Memory memory_of(const AdditiveAttention& attention, const Var& states) {
  Memory m;
  m.sentences = lengths.size();
  m.steps = states.dim(0) / lengths.size();
  m.states = states;
  m.keys = attention.keys(states);
  m.mask = length_mask(lengths, m.steps);
  return m;
}

}  // namespace

TEST_CASE("the mask is 1 on words and 0 on padding") {
  const Array mask = length_mask({2, 0, 3}, 3);
  CHECK(compare::same_bits(mask, Array({3, 3}, std::vector<Real>{1, 1, 0, 0, 0, 0, 1, 1, 1})));
}

TEST_CASE("the attention layer equals its PyTorch composition") {
  golden::Golden g("additive_attention");
  Params p{Random(1)};
  AdditiveAttention attention(p, 4, 3, 6, scheme("default"));
  attention.W_a = g("W_a");
  attention.U_a = g("U_a");
  attention.v_a = g("v_a");
  const auto words = g.fact<std::vector<std::size_t>>("lengths");
  const auto sentence = g.fact<Ids>("sentence");
  Memory m;
  m.sentences = words.size();
  m.steps = 5;
  m.states = g("states");
  m.keys = attention.keys(m.states);
  m.mask = length_mask(words, m.steps);
  const Glimpse look = attention(g("s"), m, sentence);
  g.check({{"scores", additive_scores(matmul(g("s"), g("W_a")), m.keys, g("v_a"), sentence, m.sentences)},
           {"weights", look.weights},
           {"context", look.context}});
}

TEST_CASE("attention weights sum to one over the words, and with v_a = 0 every word weighs alike") {
  Random random(2);
  Params p(random);
  const AdditiveAttention attention(p, 5, 4, 6, scheme("default"));
  const Var states = variable(random_array({12, 4}, random)), s = variable(random_array({4, 5}, random));
  const Ids sentence{2, 0, 1, 2};
  for (const bool untaught : {false, true}) {
    if (untaught) attention.v_a.mutable_value().fill(0);
    const Glimpse look = attention(s, memory_of(attention, states), sentence);
    REQUIRE(look.weights.shape() == Shape{4, 4});
    REQUIRE(look.context.shape() == Shape{4, 4});
    for (std::size_t r = 0; r < 4; ++r) {
      const std::size_t words = lengths[static_cast<std::size_t>(sentence[r])];
      double total = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        const Real weight = look.weights.value()[r * 4 + j];
        total += weight;
        if (j >= words) CHECK(weight == 0);
        if (j < words && untaught) CHECK(weight == Real(1) / static_cast<Real>(words));
      }
      CHECK(total == Approx(1).epsilon(1e-6));
    }
    if (!untaught) continue;
    backward(sum(look.context * constant(random_array({4, 4}, random))));
    CHECK(compare::same_bits(compare::gradient(attention.W_a), zeros_like(attention.W_a.value())));
    CHECK(compare::same_bits(compare::gradient(attention.U_a), zeros_like(attention.U_a.value())));
    CHECK(!compare::same_bits(compare::gradient(attention.v_a), zeros_like(attention.v_a.value())));
  }
}

TEST_CASE("a time loop with deferred weights gives attention the same gradients") {
  Random random(3);
  Params p(random);
  const AdditiveAttention attention(p, 5, 4, 6, scheme("default"));
  const Var states = constant(random_array({12, 4}, random)), s = constant(random_array({3, 5}, random));
  const auto gradient = [&](const AdditiveAttention& a) {
    const Memory m = memory_of(attention, states);
    Var total = sum(a(s, m, {0, 1, 2}).context);
    for (int step = 0; step < 3; ++step) total = total + sum(a(s * Real(step), m, {0, 1, 2}).context);
    backward(total);
    const Array g = compare::gradient(attention.W_a);
    p.zero_grad();
    return g;
  };
  const Array plain = gradient(attention), late = gradient(attention.for_time_loop());
  CHECK(compare::relative_error(late, plain) < (sizeof(Real) == 8 ? 1e-10 : 1e-5));
}

TEST_CASE("the maxout readout equals PyTorch's, and the tanh readout its formula") {
  golden::Golden g("maxout");
  Params p{Random(4)};
  Readout maxout(p / "maxout", "maxout", 9, 5, scheme("default"));
  CHECK(maxout.W.shape() == Shape{9, 10});
  maxout.W = g("W");
  maxout.b = g("b");
  g.check({{"t", maxout(g("s"), g("c"), g("y"))}});

  const Readout squashed(p / "tanh", "tanh", 9, 5, scheme("default"));
  CHECK(squashed.W.shape() == Shape{9, 5});
  const Var t = squashed(g("s"), g("c"), g("y"));
  const Var before = affine(concat({g("s"), g("c"), g("y")}, 1), squashed.W, squashed.b);
  REQUIRE(t.shape() == Shape{3, 5});
  for (std::size_t i = 0; i < 15; ++i) CHECK(t.value()[i] == Approx(std::tanh(before.value()[i])));
  CHECK_THROWS_WITH(Readout(p / "other", "relu", 9, 5, scheme("default")),
                    Contains("relu") && Contains("maxout, tanh"));
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("the gradients of attention and readout equal central differences") {
  Random random(5);
  for (const std::string& kind : known_readouts()) {
    Params p(random);
    const AdditiveAttention attention(p / "attention", 5, 4, 6, scheme("default"));
    const Readout readout(p / "readout", kind, 5 + 4 + 2, 3, scheme("default"));
    const Var states = p.declare("states", {12, 4}, normal(1)), s = p.declare("s", {4, 5}, normal(1));
    const Var y = p.declare("y", {4, 2}, normal(1));
    const auto check = autograd::gradcheck(p, [&] {
      const Glimpse look = attention(s, memory_of(attention, states), {2, 0, 1, 2});
      return readout(s, look.context, y);
    });
    INFO(check.report);
    CHECK(check.ok);
    CHECK(check.worst < 1e-6);
  }
}
#endif
