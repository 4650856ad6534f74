// Hard attention reads the value of one position, or the mean of all.
#include "layers/attention/hard_attention.h"

#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace layers;
using autograd::Array;
using autograd::constant;
using autograd::Ids;
using autograd::Var;

TEST_CASE("hard attention: each row gets the value at its sampled position, or the mean of all") {
  const Var scores = constant(Array({3, 1, 3}, {1, 2, 3, 3, 1, 2, 0, 5, 1}));
  const Array alpha = softmax(reshape(scores, {3, 3})).value();
  std::vector<SampledAttention> glances;
  const Ids places{0, -1, 2};
  const auto draw = [&](const Array& drawn_from) {
    CHECK(compare::same_bits(drawn_from, alpha));
    return places;
  };
  HookInput input;
  input.scores = scores;
  const Array seen = hard_attention_hook(draw, &glances)(input).value();
  CHECK(compare::same_bits(seen, Array({3, 1, 3}, {1, 0, 0, alpha[3], alpha[4], alpha[5], 0, 0, 1})));
  REQUIRE(glances.size() == 1);
  CHECK(glances[0].places == places);
  CHECK(largest_places(alpha) == Ids{2, 0, 1});
}
