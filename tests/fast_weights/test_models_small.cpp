// Models of one layer: shapes, gradients, and properties that hold before training.
#include <algorithm>
#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "models/fast_weights/associative_recall.h"
#include "models/tagger.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using Layer = Tagger::Layer;
using layers::FeatureMap;
using layers::PositionKind;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
const std::vector<Layer> every_layer{Layer::recurrence, Layer::convolution, Layer::attention, Layer::positional,
                                     Layer::factorized};

Tagger::Options tiny(Layer layer, PositionKind positions = PositionKind::sinusoidal) {
  return {.layer = layer, .positions = positions, .words = 7, .labels = 5, .width = 4, .max_positions = 6};
}

struct Read {
  Array logits, weights;
};
// Reads sequences of three words.
Read read(const Tagger::Options& o, const Ids& words, std::size_t B) {
  const Params p{Random(3)};
  const auto [logits, weights] = Tagger(o, p)(words, B);
  return {logits.value(), weights.defined() ? weights.value() : Array()};
}

Array row(const Array& x, std::size_t i, std::size_t d) {
  Array one({d});
  std::copy_n(x.data() + i * d, d, one.data());
  return one;
}

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("small models: gradients equal central differences") {
  const auto check_all = [](const Params& p, const auto& loss) {
    const autograd::GradcheckResult check = autograd::gradcheck(p, loss);
    INFO(check.report);
    CHECK(check.ok);
  };
  const Ids words{1, 2, 3, 4, 5, 6}, labels{0, 1, 2, 3, 4, 1};
  for (const Layer layer : every_layer) {
    const Params p{Random(1)};
    const Tagger model(tiny(layer, PositionKind::learned), p);
    check_all(p, [&] { return cross_entropy(model(words, 2).logits, labels, {.ignore = -1}); });
  }
  using Memory = AssociativeRecall::Memory;
  for (const Memory memory : {Memory::softmax, Memory::linear, Memory::sum, Memory::delta})
    for (const FeatureMap map : {FeatureMap::elu_plus_one, FeatureMap::dpfp}) {
      const Params p{Random(2)};
      const AssociativeRecall model({.memory = memory, .map = map, .keys = 7, .values = 5, .width = 4, .key_width = 2},
                                    p);
      check_all(p, [&] {
        return cross_entropy(model(words, {0, 1, 2, 3, 4, 1}, {1, 6}).logits, {2, 3}, {.ignore = -1});
      });
    }
}
#endif

TEST_CASE("tagger: a sequence has the same output in a batch, and only attention has weights, whose rows sum to 1") {
  for (const Layer layer : every_layer) {
    const Tagger::Options o = tiny(layer);
    const Read both = read(o, {1, 4, 2, 5, 3, 6}, 2), second = read(o, {4, 5, 6}, 1);
    for (std::size_t t = 0; t < 3; ++t)
      CHECK(compare::relative_error(row(both.logits, t * 2 + 1, o.labels), row(second.logits, t, o.labels)) < exact);
    const bool attends = layer != Layer::recurrence && layer != Layer::convolution;
    REQUIRE((both.weights.size() > 0) == attends);
    for (std::size_t r = 0; attends && r < 6; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += static_cast<double>(both.weights[r * 3 + i]);
      CHECK(sum == Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("tagger: attention without positions knows words only, and positional attention knows no words") {
  const auto first_and_last = [](Layer layer, PositionKind positions, const Ids& words) {
    const Tagger::Options o = tiny(layer, positions);
    const Read one = read(o, words, 1);
    return std::pair(row(one.logits, 0, o.labels), one.weights);
  };
  // Without positions, the first word's label does not depend on the order of the other words.
  const auto [a, looks_a] = first_and_last(Layer::attention, PositionKind::none, {1, 2, 3});
  const auto [b, looks_b] = first_and_last(Layer::attention, PositionKind::none, {1, 3, 2});
  CHECK(compare::relative_error(a, b) < exact);
  for (const auto positions : {PositionKind::sinusoidal, PositionKind::learned, PositionKind::rotary}) {
    const auto c = first_and_last(Layer::attention, positions, {1, 2, 3}).first;
    const auto d = first_and_last(Layer::attention, positions, {1, 3, 2}).first;
    CHECK(compare::relative_error(c, d) > 1e-4);
  }
  for (const Layer layer : {Layer::positional, Layer::factorized}) {
    const Array e = first_and_last(layer, PositionKind::none, {1, 2, 3}).second,
                f = first_and_last(layer, PositionKind::none, {4, 4, 5}).second;
    CHECK(compare::relative_error(e, f) == 0);
  }
}

TEST_CASE("tagger: rotary positions make the weights of equal words depend on their distance") {
  const Array w = read(tiny(Layer::attention, PositionKind::rotary), {2, 2, 2}, 1).weights;  // each row has 3 weights
  const auto ratio = [&](std::size_t t, std::size_t i, std::size_t j) {
    return static_cast<double>(w[t * 3 + i] / w[t * 3 + j]);
  };
  CHECK(ratio(1, 0, 1) == Approx(ratio(2, 1, 2)).epsilon(1e-4));
  CHECK(ratio(0, 1, 0) == Approx(ratio(1, 2, 1)).epsilon(1e-4));
  CHECK(std::abs(ratio(1, 0, 1) - 1) > 1e-3);
}

TEST_CASE("associative recall: summed fast weights ignore the order of the pairs, and the delta rule does not") {
  using Memory = AssociativeRecall::Memory;
  const auto answer = [](Memory memory, const Ids& keys, const Ids& values) {
    const Params p{Random(2)};
    const AssociativeRecall model({.memory = memory, .keys = 7, .values = 5, .width = 4, .key_width = 3}, p);
    return model(keys, values, {1}).logits.value();
  };
  for (const Memory memory : {Memory::softmax, Memory::linear, Memory::sum})
    CHECK(compare::relative_error(answer(memory, {1, 2, 1}, {0, 3, 4}), answer(memory, {1, 2, 1}, {4, 3, 0})) < exact);
  CHECK(compare::relative_error(answer(Memory::delta, {1, 2, 1}, {0, 3, 4}),
                                answer(Memory::delta, {1, 2, 1}, {4, 3, 0})) > 1e-4);
}

TEST_CASE("associative recall: every memory returns the value of a single pair") {
  using Memory = AssociativeRecall::Memory;
  for (const Memory memory : {Memory::softmax, Memory::linear, Memory::sum, Memory::delta}) {
    const Params p{Random(2)};
    const AssociativeRecall model({.memory = memory, .keys = 7, .values = 5, .width = 4, .key_width = 3}, p);
    CHECK(compare::relative_error(model({1}, {0}, {1}).logits.value(), model({1}, {4}, {1}).logits.value()) > 1e-3);
  }
}
