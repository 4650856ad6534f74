// Exact properties of every attention for any weights: windows, padding, sums, and the words that each score can attend
// to.
#include <cmath>

#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/layers/attention/attending.h"

using namespace softalign;

namespace {

using namespace attending;

// The weights of each head, (K, R, S) as K times (R, S). With one head, the weights of the attention.
std::vector<Var> by_head(const Seen& input) {
  if (!input.heads.defined()) return {input.weights};
  std::vector<Var> result;
  for (std::size_t k = 0; k < input.heads.dim(1); ++k)
    result.push_back(reshape(slice(input.heads, 1, k, k + 1), input.weights.shape()));
  return result;
}

}  // namespace

TEST_CASE("the mask of global attention is 1 on words and 0 on padding") {
  Random random(1);
  const AttentionWindow scope(Params(random), WindowKind::global, D, 1, 9,
                              initialiser_config(InitialiserKind::standard));
  const Array mask = scope.mask(places({2, 0, 3}, 3), {0, 1, 2}, {});
  CHECK(compare::same_bits(mask, Array({3, 3}, std::vector<Real>{1, 1, 0, 0, 0, 0, 1, 1, 1})));
}

TEST_CASE("weights are at least 0, sum to one over words, and are exactly 0 on padding and outside the window") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    Random random(3);
    const Made made(o);
    const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
    for (const Seen& input : looks(made.attention, m, random_queries(6, random))) {
      REQUIRE(input.weights.shape() == Shape{R, S});
      REQUIRE(input.context.shape() == Shape{R, D});
      CHECK(input.heads.defined() == (o.heads > 1));
      const std::vector<Var> heads = by_head(input);
      CHECK(heads.size() == o.heads);
      for (std::size_t r = 0; r < R; ++r) {
        for (const Var& weights : heads) {
          double total = 0;
          for (std::size_t j = 0; j < S; ++j) {
            total += at(weights, r, j);
            CHECK(at(weights, r, j) >= 0);
            if (j >= words_of(o, r)) CHECK(at(weights, r, j) == 0);
          }
          CHECK(total == Approx(1).epsilon(1e-6));
        }
        for (std::size_t j = 0; j < S; ++j) {
          double mean = 0;
          for (const Var& weights : heads) mean += at(weights, r, j) / static_cast<double>(heads.size());
          CHECK(at(input.weights, r, j) == Approx(mean).epsilon(1e-6));
        }
      }
    }
  }
}

TEST_CASE("states of padding have zero weight and zero gradient, even if they are very large") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    Random random(4);
    const Made made(o);
    Array h = random_array({S * B, D}, random);
    Array enormous = h.clone();
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = lengths[b]; j < S; ++j) std::fill_n(enormous.data() + (j * B + b) * D, D, Real(1e15));
    const Var states = variable(enormous);
    const std::vector<Var> queries = random_queries(2, random);
    const auto plain = looks(made.attention, memory_of(made.attention, constant(h)), queries);
    const auto padded = looks(made.attention, memory_of(made.attention, states), queries);
    for (std::size_t t = 0; t < plain.size(); ++t) {
      CHECK(compare::same_bits(padded[t].weights.value(), plain[t].weights.value()));
      CHECK(compare::same_bits(padded[t].context.value(), plain[t].context.value()));
    }
    backward(sum(square(padded[1].context)) + sum(square(padded[1].weights)));
    const Array d = compare::gradient(states);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t j = lengths[b]; j < S; ++j)
        for (std::size_t k = 0; k < D; ++k) CHECK(d[(j * B + b) * D + k] == 0);
  }
}

TEST_CASE("a sentence has the same attention alone and next to longer sentences") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    Random random(5);
    const Made made(o);
    const Var states = constant(random_array({S * B, D}, random));
    const std::vector<Var> queries = random_queries(3, random);
    const auto together = looks(made.attention, memory_of(made.attention, states), queries);
    for (std::size_t r = 0; r < R; ++r) {
      const auto b = static_cast<std::size_t>(sentence[r]);
      Ids own;
      for (std::size_t j = 0; j < lengths[b]; ++j) own.push_back(static_cast<Id>(j * B + b));
      std::vector<Var> of_row;
      for (const Var& query : queries) of_row.push_back(slice(query, 0, r, r + 1));
      const auto alone =
          looks(made.attention, memory_of(made.attention, gather(states, own), {lengths[b]}), of_row, {0});
      for (std::size_t t = 0; t < alone.size(); ++t) {
        const Var weights = slice(slice(together[t].weights, 0, r, r + 1), 1, 0, lengths[b]);
        CHECK(compare::relative_error(alone[t].weights.value(), weights.value()) < close_enough);
        CHECK(compare::relative_error(alone[t].context.value(), together[t].context.value().rows(r, r + 1)) <
              close_enough);
      }
    }
  }
}

TEST_CASE("local weights are exactly zero outside the window and above zero inside") {
  const std::size_t steps = 6;
  for (const AttentionOptions& o : all()) {
    if (o.window == WindowKind::global) continue;
    INFO(describe(o));
    Random random(6);
    const Made made(o);
    Params p{Random(1)};
    const AttentionWindow scope(p, o.window, D, o.half_width, o.score == ScoreKind::location ? o.positions : S,
                                initialiser_config(InitialiserKind::standard));
    for (const autograd::Parameter& q : p.all()) {
      const Array values = made.parameter(q.name).value();
      std::copy_n(values.data(), values.size(), q.var.mutable_value().data());
    }
    const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
    const std::vector<Var> queries = random_queries(steps, random);
    const auto seen = looks(made.attention, m, queries);
    std::size_t outside = 0;
    for (std::size_t t = 0; t < steps; ++t) {
      const Array centre = scope.centre(queries[t], m, sentence, constant(Array({R, 1}, static_cast<Real>(t)))).value();
      for (std::size_t r = 0; r < R; ++r) {
        const std::size_t words = words_of(o, r);
        if (o.window == WindowKind::local_m) CHECK(centre[r] == static_cast<Real>(std::min(t, words - 1)));
        for (const Var& weights : by_head(seen[t]))
          for (std::size_t j = 0; j < words; ++j) {
            const bool inside = std::abs(static_cast<Real>(j) - centre[r]) <= o.half_width;
            outside += !inside;
            CHECK((at(weights, r, j) > 0) == inside);
          }
      }
    }
    CHECK((outside > 0 || o.positions < S));
  }
}

TEST_CASE("a predicted centre is inside the sentence for any query and any weights") {
  for (const std::size_t reach : {9, 2})
    for (const double scale : {1.0, 1e3, 1e10}) {
      Random random(7);
      Params p(random);
      const AttentionWindow scope(p, WindowKind::local_p, D, 1, reach, initialiser_config(InitialiserKind::standard));
      compare::randomise(p, random, scale);
      const AttentionMemory m = places(lengths, S);
      Real least = 1, most = 0;
      for (const Var& query : random_queries(20, random, scale)) {
        const Array centre = scope.centre(query, m, sentence, {}).value();
        const Array mask = scope.mask(m, sentence, constant(centre));
        for (std::size_t r = 0; r < R; ++r) {
          const auto last = static_cast<Real>(std::min(lengths[static_cast<std::size_t>(sentence[r])], reach) - 1);
          CHECK(centre[r] >= 0);
          CHECK(centre[r] <= last);
          CHECK(std::count(mask.data() + r * S, mask.data() + (r + 1) * S, Real(1)) >= 1);
          if (last > 0) least = std::min(least, centre[r] / last), most = std::max(most, centre[r] / last);
        }
      }
      if (scale > 1) {  // the extreme scales reach both ends
        CHECK(least < Real(1e-3));
        CHECK(most > Real(0.999));
      }
    }
}

TEST_CASE("attention hook: the original weights change nothing, and full weight on one word gives its value") {
  for (const AttentionOptions& o : all()) {
    INFO(describe(o));
    Random random(3);
    const Made made(o);
    const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
    const Var query = constant(random_array({R, D}, random));
    const Seen own = looks(made.attention, m, {query}).front();

    std::size_t calls = 0;
    const Attention same = made.attention.with_attention_hook([&](const HookInput& input) {
      ++calls;
      CHECK(input.weights.shape() == Shape{R, o.heads, S});
      CHECK(compare::relative_error(mean_over_heads(input.weights).value(), own.weights.value()) < close_enough);
      CHECK(compare::relative_error(softmax(input.scores).value(), input.weights.value()) < close_enough);
      return input.weights;
    });
    const Seen again = looks(same, m, {query}).front();
    CHECK(calls == 1);
    CHECK(compare::relative_error(again.context.value(), own.context.value()) < close_enough);
    CHECK(compare::relative_error(again.weights.value(), own.weights.value()) < close_enough);

    const Attention first_word = made.attention.with_attention_hook([&](const HookInput& input) {
      Array rows = autograd::zeros(input.weights.shape());
      for (std::size_t r = 0; r < rows.size() / S; ++r) rows[r * S] = 1;
      return constant(rows);
    });
    const Seen forced = looks(first_word, m, {query}).front();
    for (std::size_t r = 0; r < R; ++r) CHECK(at(forced.weights, r, 0) == Approx(1).epsilon(1e-6));
    if (o.score == ScoreKind::qkv || o.window == WindowKind::local_p)
      continue;  // contexts of qkv are projected; under local-p, they weigh less than 1
    for (std::size_t r = 0; r < R; ++r) {
      const auto b = static_cast<std::size_t>(sentence[r]);  // h_1 of sentence b is row b of the values
      CHECK(compare::relative_error(forced.context.value().rows(r, r + 1),
                                    m.values.value().reshaped({S * B, D}).rows(b, b + 1)) < close_enough);
    }
  }
}

TEST_CASE("replaced weights of another size are refused with both shapes") {
  const Made made(all().front());
  Random random(3);
  const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
  const Attention short_of_rows = made.attention.with_attention_hook([](const HookInput&) {
    return constant(autograd::zeros({1, 1, S}));
  });
  CHECK_THROWS_WITH(looks(short_of_rows, m, random_queries(1, random)),
                    Catch::Contains("(1, 1, 4)") && Catch::Contains("(4, 1, 4)"));
}

TEST_CASE("attention hooks: the second one gets the weights of the first one") {
  const Made made(all().front());
  Random random(4);
  const AttentionMemory m = memory_of(made.attention, constant(random_array({S * B, D}, random)));
  const std::vector<Var> queries = random_queries(1, random);
  const auto doubled = [](const HookInput& input) { return input.weights * Real(2); };
  const Seen own = looks(made.attention, m, queries).front(),
             four = looks(made.attention.with_attention_hook(doubled).with_attention_hook(doubled), m, queries).front();
  CHECK(compare::relative_error(four.weights.value(), (own.weights * Real(4)).value()) < close_enough);
}
