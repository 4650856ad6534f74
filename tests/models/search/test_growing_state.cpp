// The state grows with every step: it holds the keys of all words so far, (R, t, A), like the KV cache of causal
// self-attention.
#include <cmath>
#include <numeric>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "models/search/beam_search.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace models;
using autograd::Shape;

namespace {

constexpr std::size_t B = 3, A = 4, V = 7;

// One layer of self-attention without positions. The last word is the query, and all words so far are keys and values.
//   p(y_t) = softmax(W sum_i alpha_ti k_i + b)    alpha_ti = softmax_i(k_{t-1} . k_i)    k_i = E[y_i]    i < t
struct Network {
  Var E, W, b;  // (V, A), (A, V) and (B, V): each source has its own bias
  explicit Network(std::uint64_t seed) {
    Random random(seed);
    E = autograd::constant(compare::random_array({V, A}, random, 2));
    W = autograd::constant(compare::random_array({A, V}, random, 2));
    b = autograd::constant(compare::random_array({B, V}, random));
  }
  // The shape of keys is (R, t, A).
  Var logits(const Var& keys, const Ids& sentence) const {
    const std::size_t R = keys.dim(0), t = keys.dim(1);
    const Var last = slice(keys, 1, t - 1, t);                       // (R, 1, A)
    const Var alpha = softmax(sum(last * keys, {2}));                // (R, t)
    const Var context = sum(reshape(alpha, {R, t, 1}) * keys, {1});  // (R, A)
    return matmul(context, W) + gather(b, sentence);
  }
  Memory memory() const { return {std::vector<std::size_t>(B, 3), *this}; }
};

Ids all_sources() {
  Ids sentence(B);
  std::iota(sentence.begin(), sentence.end(), 0);
  return sentence;
}

// A decoder whose state caches the keys.
class Cached : public Decoder {
 public:
  struct Cache {
    Var keys;  // (R, t, A), undefined before the first step
    template <class Visit>
    void each(Visit&& visit) {
      visit("keys", keys);
    }
  };
  bool attends() const override { return false; }
  State start(const Memory&) const override { return {Cache{}, all_sources()}; }
  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    const auto& weights = memory.as<Network>();
    const Var now = reshape(gather(weights.E, previous), {previous.size(), 1, A});
    Cache cache = state.as<Cache>();
    cache.keys = cache.keys.defined() ? autograd::concat({cache.keys, now}, 1) : now;
    steps = std::max(steps, cache.keys.dim(1));
    return {weights.logits(cache.keys, state.sentence), {cache, state.sentence}, {}};
  }
  TeacherForced teacher_forced(const Memory&, const Targets&, const Training*) const override { return {}; }
  mutable std::size_t steps = 0;  // the length of the longest cache
};

// -log p(words, </s>), where every step computes all keys again.
double log_p(const Network& weights, std::size_t b, const Ids& words) {
  double total = 0;
  for (std::size_t t = 0; t <= words.size(); ++t) {
    Ids read(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(t));
    read.insert(read.begin(), data::start_id);
    const Var keys = reshape(gather(weights.E, read), {1, t + 1, A});
    const Array log_p = log_softmax(weights.logits(keys, {static_cast<Id>(b)})).value();
    total += log_p[static_cast<std::size_t>(t < words.size() ? words[t] : data::end_id)];
  }
  return total;
}

// Every sequence of up to `length` writable words.
std::vector<Ids> sequences(std::size_t length) {
  std::vector<Ids> all{{}};
  for (std::size_t begin = 0, n = 0; n < length; ++n) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin)
      for (const Id id : {data::unk_id, Id{4}, Id{5}, Id{6}}) {
        Ids longer = all[begin];
        longer.push_back(id);
        all.push_back(longer);
      }
  }
  return all;
}

struct Inner {
  Var keys, absent;
  template <class Visit>
  void each(Visit&& visit) {
    visit("keys", keys), visit("absent", absent);
  }
};
struct Outer {
  Var h;
  std::vector<Inner> layers;
  template <class Visit>
  void each(Visit&& visit) {
    visit("h", h), visit("layers", layers);
  }
};

}  // namespace

TEST_CASE("a growing cache works in beam search: a complete search equals enumeration without a cache") {
  const autograd::NoGrad no_grad;
  const Network weights(GENERATE(1, 2, 3));
  constexpr std::size_t length = 3;
  const Cached decoder;
  const auto found =
      beam_search(decoder, weights.memory(), {.beam = 2000, .n_best = 10, .length_penalty = 0, .max_length = length});
  CHECK(decoder.steps == length + 1);
  for (std::size_t b = 0; b < B; ++b) {
    std::vector<std::pair<double, Ids>> all;
    for (const Ids& words : sequences(length)) all.emplace_back(log_p(weights, b, words), words);
    std::sort(all.rbegin(), all.rend());
    REQUIRE(found[b].size() == 10);
    for (std::size_t i = 0; i < 10; ++i) {
      CHECK(found[b][i].log_prob == Approx(all[i].first).margin(1e-5));
      CHECK(log_p(weights, b, found[b][i].ids) == Approx(found[b][i].log_prob).margin(1e-5));
    }
  }
}

TEST_CASE("a narrow beam reorders and drops rows of the cache, and words keep the probabilities of their prefix") {
  const autograd::NoGrad no_grad;
  std::size_t words = 0;
  for (const std::uint64_t seed : {4, 5, 6, 7}) {
    const Network weights(seed);
    const auto found = beam_search(Cached(), weights.memory(), {.beam = 3, .n_best = 3, .max_length = 8});
    for (std::size_t b = 0; b < B; ++b)
      for (const Hypothesis& h : found[b]) {
        if (h.finished) CHECK(h.log_prob == Approx(log_p(weights, b, h.ids)).margin(1e-5));
        words += h.ids.size();
      }
  }
  CHECK(words > 40);
}

TEST_CASE("select takes rows of every part for any shape and skips missing parts") {
  const auto numbers = [](const Shape& shape) {
    Array x(shape);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Real>(i);
    return autograd::constant(x);
  };
  const State state(Outer{numbers({3, 2}), {{numbers({3, 1, 2}), {}}, {numbers({3, 4, 1}), {}}}}, {0, 0, 1});
  State chosen = select(state, {2, 0, 2, 2});
  CHECK(chosen.sentence == Ids{1, 0, 1, 1});
  std::vector<std::string> names;
  chosen.each([&](const std::string& name, Var& part) {
    names.push_back(name);
    REQUIRE(part.dim(0) == 4);
    const auto width = static_cast<Real>(part.value().size() / 4);
    CHECK(part.value()[0] == 2 * width);
    CHECK(part.value()[static_cast<std::size_t>(width)] == 0);
  });
  CHECK(names == std::vector<std::string>{"h", "layers/0/keys", "layers/1/keys"});
  CHECK(state.as<Outer>().h.dim(0) == 3);
  CHECK_THROWS_AS(state.as<Inner>(), std::logic_error);
}
