// These tests compare differentiable neural computers with PyTorch. They also check gradients and properties that hold
// for any weights.
#include "models/addressing/neural_computer.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;

const double exact = sizeof(autograd::Real) == 8 ? 1e-12 : 1e-5;

NeuralComputer::Options tiny() { return {.words = 5, .embedding = 3, .hidden = 4, .width = 3, .heads = 2}; }

}  // namespace

// Graves et al. 2016, Methods, "Interface parameters", Methods, "Reading and writing to memory".
TEST_CASE("neural computer: logits, usage, read weights and write weights equal torch's, with all gradients") {
  golden::Golden g("neural_computer");
  Params p(Random(1));
  const NeuralComputer model(tiny(), p);
  g.adopt(p);
  const auto out = model(g.fact<Ids>("words"), 2, g.fact<std::size_t>("positions"));
  std::vector<std::pair<std::string, Var>> outputs{{"logits", out.logits}};
  for (std::size_t t = 0; t < out.read.size(); ++t) {
    outputs.emplace_back("written_" + std::to_string(t), out.written[t]);
    outputs.emplace_back("used_" + std::to_string(t), out.used[t]);
    for (std::size_t i = 0; i < 2; ++i)
      outputs.emplace_back("read_" + std::to_string(t) + "_" + std::to_string(i), out.read[t][i]);
  }
  g.check(outputs);
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("neural computer: gradients equal central differences") {
  const Params p{Random(2)};
  const NeuralComputer model(tiny(), p);
  Random random(3);
  compare::randomise(p, random);
  const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
    return cross_entropy(reshape(model({1, 2, 3, 4, 0, 0}, 2, 3).logits, {6, 5}), {3, 4, 0, 0, 1, 2}, {.ignore = -1});
  });
  INFO(check.report);
  CHECK(check.ok);
}
#endif

TEST_CASE("neural computer: a text has the same output in a batch, and later words do not change earlier outputs") {
  const Params p{Random(4)};
  const NeuralComputer model(tiny(), p);
  const auto both = model({1, 2, 3, 4, 0, 1}, 2, 6);  // the texts are 1 3 0 and 2 4 1
  const auto alone = model({2, 4, 1}, 1, 6), other = model({2, 4, 3}, 1, 6);
  CHECK(compare::relative_error(slice(both.logits, 1, 1, 2).value(), alone.logits.value()) < exact);
  CHECK(compare::relative_error(alone.logits.value().rows(0, 2), other.logits.value().rows(0, 2)) < exact);
  CHECK(compare::relative_error(alone.logits.value(), other.logits.value()) > 1e-3);
  REQUIRE((both.written.size() == 3 && both.read.size() == 3 && both.modes.size() == 3 && both.used.size() == 3));
  CHECK((both.written[2].shape() == autograd::Shape{2, 6} && both.used[2].shape() == autograd::Shape{2, 6}));
  CHECK((both.read[1].size() == 2 && both.read[1][1].shape() == autograd::Shape{2, 6}));
  CHECK(both.modes[0][1].shape() == autograd::Shape{2, 3});
}
