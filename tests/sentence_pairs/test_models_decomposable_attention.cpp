// Compares decomposable attention with PyTorch. The tests also check gradients and properties that hold for any
// weights.
#include "models/sentence_pairs/decomposable_attention.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;
using autograd::Real;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;

// Two pairs: the premises have four and three words, the hypotheses three and two.
SentencePairs two_pairs() { return {4, 3, 2, {1, 5, 2, 6, 3, 1, 4, 0}, {4, 2, 1, 2, 5, 0}, {4, 3}, {3, 2}}; }
SentencePairs one_pair(const Ids& a, const Ids& b) { return {a.size(), b.size(), 1, a, b, {a.size()}, {b.size()}}; }

DecomposableAttention::Options tiny(bool intra, bool uniform = false) {
  return {.words = 7, .labels = 3, .width = 4, .hidden = 5, .intra = intra, .uniform = uniform};
}

// A model whose biases are random, too.
struct SyntheticExample {
  Params p{Random(1)};
  DecomposableAttention model;
  explicit SyntheticExample(const DecomposableAttention::Options& o) : model(o, p) {
    Random random(2);
    compare::randomise(p, random);
  }
};

}  // namespace

// Parikh et al. 2016, eq. 1-7, section 3.4.
TEST_CASE(
    "decomposable attention: logits and both alignments equal torch's, with and without intra-sentence attention") {
  for (const std::string& name : golden::cases("decomposable")) {
    INFO(name);
    golden::Golden g("decomposable", name);
    Params p(Random(1));
    const DecomposableAttention model(tiny(g.fact<bool>("intra")), p);
    g.adopt(p);
    const auto out = model(two_pairs());
    // Only the rows of words are compared, without padding.
    const Var of_a = slice(reshape(out.of_a, {8, 3}), 0, 0, 7), of_b = slice(reshape(out.of_b, {6, 4}), 0, 0, 5);
    g.check({{"logits", out.logits}, {"of_a", of_a}, {"of_b", of_b}});
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("decomposable attention: gradients equal central differences") {
  for (const bool intra : {false, true})
    for (const bool uniform : {false, true}) {
      const SyntheticExample drawn(tiny(intra, uniform));
      const autograd::GradcheckResult check = autograd::gradcheck(drawn.p, [&] {
        return cross_entropy(drawn.model(two_pairs()).logits, {2, 0}, {.ignore = -1});
      });
      INFO(check.report);
      CHECK(check.ok);
    }
}
#endif

TEST_CASE("decomposable attention: a pair has the same output in a batch, and padding gets no weight") {
  for (const bool intra : {false, true}) {
    const SyntheticExample drawn(tiny(intra));
    const auto both = drawn.model(two_pairs()), alone = drawn.model(one_pair({5, 6, 1}, {2, 2}));
    CHECK(compare::relative_error(slice(both.logits, 0, 1, 2).value(), alone.logits.value()) < exact);
    for (std::size_t i = 0; i < 3; ++i) CHECK(both.of_a.value()[(4 + i) * 3 + 2] == 0);
    for (std::size_t j = 0; j < 2; ++j) CHECK(both.of_b.value()[(3 + j) * 4 + 3] == 0);
  }
}

TEST_CASE("decomposable attention: exchanging a and b exchanges the alignments") {
  const SyntheticExample drawn(tiny(true));
  const auto there = drawn.model(one_pair({1, 2, 3, 4}, {4, 1, 5})),
             back = drawn.model(one_pair({4, 1, 5}, {1, 2, 3, 4}));
  CHECK(compare::relative_error(there.of_a.value(), back.of_b.value()) < exact);
  CHECK(compare::relative_error(there.of_b.value(), back.of_a.value()) < exact);
}

TEST_CASE("decomposable attention: word order has no effect without intra-sentence attention") {
  for (const bool intra : {false, true}) {
    const SyntheticExample drawn(tiny(intra));
    const auto before = drawn.model(one_pair({1, 2, 3, 4}, {4, 1, 5})),
               after = drawn.model(one_pair({3, 1, 4, 2}, {5, 4, 1}));
    CHECK((compare::relative_error(before.logits.value(), after.logits.value()) < exact) == !intra);
  }
}

TEST_CASE("decomposable attention: with scores of 0 every word gets the mean of the other sentence") {
  const SyntheticExample drawn(tiny(false, true));
  const auto out = drawn.model(two_pairs());
  for (std::size_t i = 0; i < 4; ++i) CHECK(out.of_a.value()[i * 3] == Approx(1.0 / 3));
  for (std::size_t j = 0; j < 2; ++j) CHECK(out.of_b.value()[(3 + j) * 4] == Approx(1.0 / 3));
}
