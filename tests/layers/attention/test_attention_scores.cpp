// These tests check what each score depends on, and how scores are related.
#include <cmath>

#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/layers/attention/attending.h"

using namespace softalign;

namespace {

using namespace attending;

}  // namespace

TEST_CASE("location-based scores depend on positions only: other source states change no weight") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    Random random(8);
    const Made made(o);
    const std::vector<Var> queries = random_queries(2, random);
    const auto one =
        looks(made.attention, memory_of(made.attention, constant(random_array({S * B, D}, random))), queries);
    const auto other =
        looks(made.attention, memory_of(made.attention, constant(random_array({S * B, D}, random))), queries);
    for (std::size_t t = 0; t < one.size(); ++t) {
      CHECK(compare::same_bits(one[t].weights.value(), other[t].weights.value()) == (o.score == ScoreKind::location));
      CHECK(!compare::same_bits(one[t].context.value(), other[t].context.value()));
    }
  }
}

TEST_CASE("with v_a = 0 all words in the window have the same weight, and W_a and U_a get no gradient") {
  for (const AttentionOptions& o : all()) {
    if (o.score != ScoreKind::additive && o.score != ScoreKind::concat) continue;
    INFO(describe(o));
    Random random(9);
    const Made made(o);
    made.parameter("v_a").mutable_value().fill(0);
    const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
    Var loss = constant(Array({}, 0));
    for (const Seen& input : looks(made.attention, m, random_queries(3, random))) {
      loss = loss + sum(input.context * constant(random_array({R, D}, random)));
      if (o.window == WindowKind::local_p) continue;  // the Gaussian changes the weights
      for (std::size_t r = 0; r < R; ++r) {
        std::size_t words = 0;
        for (std::size_t j = 0; j < S; ++j) words += at(input.weights, r, j) != 0;
        for (std::size_t j = 0; j < S; ++j)
          if (at(input.weights, r, j) != 0) CHECK(at(input.weights, r, j) == Real(1) / static_cast<Real>(words));
      }
    }
    backward(loss);
    for (const autograd::Parameter& p : made.params.all()) {
      INFO(p.name);
      const bool nothing = compare::same_bits(compare::gradient(p.var), zeros_like(p.var.value()));
      CHECK(nothing == (p.name == "W_a" || p.name == "U_a" || p.name == "w_c"));
    }
  }
}

TEST_CASE("scaled dot and general scores equal the unscaled ones with the query divided by the root of its size") {
  for (const AttentionOptions& o : all()) {
    if (!o.scale || o.window == WindowKind::local_p) continue;  // local-p also predicts its centre from the query
    INFO(describe(o));
    AttentionOptions without = o;
    without.scale = false;
    Random random(10);
    const Made scaled(o), plain(without);
    const Var states = constant(random_array({S * B, D}, random));
    const std::vector<Var> queries = random_queries(3, random);
    std::vector<Var> smaller;
    for (const Var& query : queries) smaller.push_back(query * (1 / std::sqrt(Real(D))));
    const auto one = looks(scaled.attention, memory_of(scaled.attention, states), queries);
    const auto other = looks(plain.attention, memory_of(plain.attention, states), smaller);
    for (std::size_t t = 0; t < one.size(); ++t) {
      CHECK(compare::relative_error(one[t].weights.value(), other[t].weights.value()) < close_enough);
      CHECK(compare::relative_error(one[t].context.value(), other[t].context.value()) < close_enough);
    }
  }
}

TEST_CASE("one head equals scaled dot-product attention by hand") {
  Random random(11);
  const Made made({.score = ScoreKind::qkv, .query = D, .memory = D, .size = 6});
  const Var states = constant(random_array({S * B, D}, random)), s = random_queries(1, random)[0];
  const AttentionMemory m = memory_of(made.attention, states);
  const Var h = reshape(states, {S, B, D});
  const Var q = matmul(s, made.parameter("W_Q")), k = matmul(h, made.parameter("W_K"));
  const Var v = matmul(h, made.parameter("W_V"));
  const Var e = dot_scores(q, k, sentence) * (1 / std::sqrt(Real(6)));
  const AttentionWindow everywhere(Params(random), WindowKind::global, D, 1, S,
                                   initialiser_config(InitialiserKind::standard));
  const Var alpha = softmax(e, everywhere.mask(m, sentence, {}));
  const Var c = matmul(weighted_sum(alpha, v, sentence), made.parameter("W_O"));
  const Seen input = looks(made.attention, m, {s})[0];
  CHECK(compare::relative_error(input.weights.value(), alpha.value()) < close_enough);
  CHECK(compare::relative_error(input.context.value(), c.value()) < close_enough);
}

TEST_CASE("coverage begins at 0 and sums the attention weights, and w_c = 0 has no effect") {
  for (const AttentionOptions& o : all()) {
    if (!o.coverage) continue;
    INFO(describe(o));
    AttentionOptions without = o;
    without.coverage = false;
    Random random(12);
    const Made with(o), plain(without);
    for (const autograd::Parameter& p : plain.params.all()) {
      const Array values = with.parameter(p.name).value();
      std::copy_n(values.data(), values.size(), p.var.mutable_value().data());
    }
    const Var states = constant(random_array({S * B, D}, random));
    const AttentionMemory m = memory_of(with.attention, states), m_plain = memory_of(plain.attention, states);
    const std::vector<Var> queries = random_queries(3, random);
    const auto unheeding = looks(plain.attention, m_plain, queries);

    Attention::State state = select(with.attention.start(m), sentence);
    Array sum_so_far = autograd::zeros({R, S});
    for (std::size_t t = 0; t < queries.size(); ++t) {
      CHECK(compare::relative_error(state.coverage.value(), sum_so_far) < close_enough);
      const Attention::Step step = with.attention(queries[t], m, sentence, state);
      const Array weights = step.attended.weights.value().reshaped({R, S});
      const double apart = compare::relative_error(weights, unheeding[t].weights.value());
      if (t == 0) CHECK(apart < close_enough);
      if (t > 0) CHECK(apart > 1e-3);
      for (std::size_t i = 0; i < sum_so_far.size(); ++i) sum_so_far[i] += weights[i];
      state = step.state;
    }
    with.parameter("w_c").mutable_value().fill(0);
    const auto heedless = looks(with.attention, m, queries);
    for (std::size_t t = 0; t < queries.size(); ++t)
      CHECK(compare::relative_error(heedless[t].weights.value(), unheeding[t].weights.value()) < close_enough);
  }
}
