// Language models of one layer: their gradients, and that no word depends on later words.
#include "models/language_models/next_word.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Params;
using autograd::Random;
using Layer = NextWord::Layer;

const double exact = sizeof(autograd::Real) == 8 ? 1e-12 : 1e-5;

NextWord::Options tiny(Layer layer) {
  return {.layer = layer, .words = 6, .embedding = 3, .hidden = 4, .attention_size = 2};
}

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("next word: gradients equal central differences") {
  for (const Layer layer : {Layer::lstm, Layer::lstmn}) {
    const Params p{Random(1)};
    const NextWord model(tiny(layer), p);
    Random random(2);
    compare::randomise(p, random);
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(reshape(model({1, 2, 3, 4, 5, 0}, 2).logits, {6, 6}), {3, 4, 5, 0, 1, 2}, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("next word: later words change nothing, a batch changes nothing, and only one layer has weights") {
  for (const Layer layer : {Layer::lstm, Layer::lstmn}) {
    const Params p{Random(3)};
    const NextWord model(tiny(layer), p);
    const auto both = model({1, 2, 3, 4, 5, 0}, 2);  // the texts are 1 3 5 and 2 4 0
    const auto alone = model({2, 4, 0}, 1), other = model({2, 4, 5}, 1);
    CHECK(compare::relative_error(slice(both.logits, 1, 1, 2).value(), alone.logits.value()) < exact);
    CHECK(compare::relative_error(alone.logits.value().rows(0, 2), other.logits.value().rows(0, 2)) < exact);
    CHECK(compare::relative_error(alone.logits.value(), other.logits.value()) > 1e-3);
    CHECK(both.weights.size() == (layer == Layer::lstmn ? 2 : 0));
  }
}
