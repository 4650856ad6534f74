// Compares the LSTM that attends to its past states with PyTorch. The tests also check gradients and properties that
// hold for any weights.
#include "layers/recurrent/lstmn.h"

#include "autograd/gradcheck.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t S = 5, B = 3, E = 3, H = 4, A = 2;

// Every parameter is random, so that the attention weights are not all equal.
struct SyntheticExample {
  Params p{Random(1)};
  Lstmn layer{p, E, H, A, initialiser_config(InitialiserKind::standard)};
  Var x;
  explicit SyntheticExample(std::uint64_t seed) {
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
  const Lstmn layer(p, 3, 4, 3, initialiser_config(InitialiserKind::standard));
  g.adopt(p);
  const Lstmn::Sequence out = layer.run(g("x"));
  std::vector<std::pair<std::string, Var>> outputs{{"states", out.h}};
  for (std::size_t t = 1; t < 5; ++t) outputs.emplace_back("weights_" + std::to_string(t), out.weights[t - 1]);
  g.check(outputs);
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("lstmn: gradients of all outputs equal central differences in both directions") {
  const SyntheticExample drawn(2);
  std::vector<Var> inputs{drawn.x};
  for (const Parameter& parameter : drawn.p.all()) inputs.push_back(parameter.var);
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const auto everything = [&](const std::vector<Var>& in) {
      const Lstmn::Sequence out = drawn.layer.run(in[0], {5, 3, 4}, direction);
      const Var last = concat({out.last.h, out.last.c}, 0);
      return concat({reshape(concat({out.h, out.c}, 0), {2 * S * B, H}), last, out.weights.back() * Real(2)}, 0);
    };
    const GradcheckResult check = gradcheck(everything, inputs);
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("lstmn: the backward direction starts at each text's last word, and padding changes nothing") {
  const SyntheticExample drawn(5);
  const std::vector<std::size_t> lengths{3, 5, 1};
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    const Lstmn::Sequence all = drawn.layer.run(drawn.x, lengths, direction);
    for (std::size_t b = 0; b < B; ++b) {
      std::vector<Var> words;
      for (std::size_t t = 0; t < lengths[b]; ++t) {
        const std::size_t place = direction == Direction::forward ? t : lengths[b] - 1 - t;
        words.push_back(slice(at(drawn.x, place), 0, b, b + 1));
      }
      const Lstmn::Sequence alone = drawn.layer.run(stack(words));
      for (std::size_t t = 0; t < lengths[b]; ++t) {
        const std::size_t place = direction == Direction::forward ? t : lengths[b] - 1 - t;
        const auto of_text = [&](const Var& states) { return at(states, place).value().rows(b, b + 1); };
        CHECK(relative_error(of_text(all.h), at(alone.h, t).value()) < exact);
        CHECK(relative_error(of_text(all.c), at(alone.c, t).value()) < exact);
      }
      CHECK(relative_error(all.last.h.value().rows(b, b + 1), at(alone.h, lengths[b] - 1).value()) < exact);
      CHECK(relative_error(all.last.c.value().rows(b, b + 1), at(alone.c, lengths[b] - 1).value()) < exact);
    }
  }
}

TEST_CASE("lstmn: single steps with a growing memory equal the complete run, and rows can be selected") {
  const SyntheticExample drawn(6);
  const Lstmn::Sequence whole = drawn.layer.run(drawn.x);
  Lstmn::Cache cache = drawn.layer.start(B);
  Ids rows{0, 1, 2};
  for (std::size_t t = 0; t < S; ++t) {
    const Lstmn::Step step = drawn.layer.step(drawn.layer.terms(gather(at(drawn.x, t), rows)), cache);
    const auto same = [&](const Var& now, const Var& then) {
      CHECK(relative_error(now.value(), gather(then, rows).value()) < exact);
    };
    same(step.now.h, at(whole.h, t));
    same(step.now.c, at(whole.c, t));
    if (t > 0) same(step.weights, whole.weights[t - 1]);
    const Ids chosen{2, 0, 1};
    cache = select(step.cache, chosen);
    Ids next;
    for (const Id row : chosen) next.push_back(rows[static_cast<std::size_t>(row)]);
    rows = next;
  }
  CHECK(cache.tape.size() == S);
}

TEST_CASE("lstmn: attending to the last state only, it is an LSTM") {
  const SyntheticExample drawn(3);
  LSTMState s{constant(autograd::zeros({B, H})), constant(autograd::zeros({B, H}))};
  const Var two = slice(drawn.x, 0, 0, 2);  // the second of two words has one past state to attend to
  const Lstmn::Sequence out = drawn.layer.run(two);
  for (std::size_t t = 0; t < 2; ++t) {
    s = drawn.layer.cell(at(two, t), s);
    CHECK(relative_error(at(out.h, t).value(), s.h.value()) < exact);
  }
  CHECK(relative_error(out.weights[0].value(), Array({B, 1}, 1)) < exact);
}

TEST_CASE("lstmn: weights are causal and sum to 1, later words change nothing, and a batch changes nothing") {
  const SyntheticExample drawn(4);
  const Lstmn::Sequence all = drawn.layer.run(drawn.x);
  REQUIRE(all.weights.size() == S - 1);
  for (std::size_t t = 1; t < S; ++t) {
    CHECK(all.weights[t - 1].shape() == Shape{B, t});
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < t; ++i) sum += static_cast<double>(all.weights[t - 1].value()[b * t + i]);
      CHECK(sum == Approx(1).epsilon(1e-5));
    }
    const Lstmn::Sequence first = drawn.layer.run(slice(drawn.x, 0, 0, t));
    CHECK(relative_error(first.h.value(), all.h.value().rows(0, t)) < exact);
  }
  const Lstmn::Sequence alone = drawn.layer.run(slice(drawn.x, 1, 1, 2));
  CHECK(relative_error(alone.h.value(), slice(all.h, 1, 1, 2).value()) < exact);
}
