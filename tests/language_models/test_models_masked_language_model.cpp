// The masked language model: its gradients, and which words each word can attend to.
#include "models/language_models/masked_language_model.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using autograd::Array;
using autograd::Params;
using autograd::Random;
using layers::PositionKind;
using models::MaskedLanguageModel;

MaskedLanguageModel::Options of_a_few_words(PositionKind positions, bool causal) {
  return {.words = 6, .width = 4, .feed_forward = 6, .positions = positions, .max_positions = 3, .causal = causal};
}

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("masked language model: gradients equal central differences") {
  for (const bool causal : {false, true}) {
    const Params p{Random(1)};
    const MaskedLanguageModel model(of_a_few_words(PositionKind::learned, causal), p);
    Random random(2);
    compare::randomise(p, random);
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(model({1, 2, 3, 4, 5, 0}, 2).logits, {3, -1, 5, 0, -1, 2}, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

// Devlin et al. 2019, section 3.1.
TEST_CASE("masked language model: a gap depends on both sides, or if causal on earlier words only") {
  for (const bool causal : {false, true}) {
    const Params p{Random(3)};
    const MaskedLanguageModel model(of_a_few_words(PositionKind::sinusoidal, causal), p);
    const auto gap = [&](const autograd::Ids& text) { return model(text, 1).logits.value().rows(1, 2); };
    CHECK(compare::relative_error(gap({1, 5, 2}), gap({3, 5, 2})) > 1e-3);
    const double by_the_right = compare::relative_error(gap({1, 5, 2}), gap({1, 5, 3}));
    CHECK((causal ? by_the_right == 0 : by_the_right > 1e-3));
    const MaskedLanguageModel::Output out = model({1, 5, 2}, 1);
    REQUIRE(out.weights.size() == 2);
    CHECK((out.weights.back().value()[1 * 3 + 2] == 0) == causal);
  }
}

TEST_CASE("masked language model: without positions a gap depends on the set of words and not on their order") {
  for (const PositionKind positions : {PositionKind::none, PositionKind::rotary, PositionKind::learned}) {
    const Params p{Random(4)};
    const MaskedLanguageModel model(of_a_few_words(positions, false), p);
    const auto gap = [&](const autograd::Ids& text) { return model(text, 1).logits.value().rows(0, 1); };
    const double apart = compare::relative_error(gap({5, 1, 2}), gap({5, 2, 1}));
    CHECK((positions == PositionKind::none ? apart < 1e-5 : apart > 1e-4));
  }
}
