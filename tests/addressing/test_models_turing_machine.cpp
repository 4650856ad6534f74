// These tests compare neural Turing machines with PyTorch. They also check gradients and properties that hold for any
// weights.
#include "models/addressing/turing_machine.h"

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

TuringMachine::Options tiny() { return {.words = 5, .embedding = 3, .hidden = 4, .width = 3}; }

}  // namespace

// Graves et al. 2014, eq. 2-9, sections 3.3.1 and 3.3.2.
TEST_CASE("turing machine: logits, read weights and write weights of each step equal torch's, with all gradients") {
  golden::Golden g("turing_machine");
  Params p(Random(1));
  const TuringMachine model(tiny(), p);
  g.adopt(p);
  const auto words = g.fact<Ids>("words");
  const auto out = model(words, 2, g.fact<std::size_t>("places"));
  std::vector<std::pair<std::string, Var>> outputs{{"logits", out.logits}};
  for (std::size_t t = 0; t < out.read.size(); ++t) {
    outputs.emplace_back("written_" + std::to_string(t), out.written[t]);
    outputs.emplace_back("read_" + std::to_string(t), out.read[t]);
  }
  g.check(outputs);
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("turing machine: gradients equal central differences") {
  const Params p{Random(2)};
  const TuringMachine model(tiny(), p);
  Random random(3);
  compare::randomise(p, random);
  const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
    return cross_entropy(reshape(model({1, 2, 3, 4, 0, 0}, 2, 4).logits, {6, 5}), {3, 4, 0, 0, 1, 2}, {.ignore = -1});
  });
  INFO(check.report);
  CHECK(check.ok);
}
#endif

TEST_CASE("turing machine: a text has the same output in a batch, later words change nothing, and weights sum to 1") {
  const Params p{Random(4)};
  const TuringMachine model(tiny(), p);
  const auto both = model({1, 2, 3, 4, 0, 1}, 2, 6);  // the texts are 1 3 0 and 2 4 1
  const auto alone = model({2, 4, 1}, 1, 6), other = model({2, 4, 3}, 1, 6);
  CHECK(compare::relative_error(slice(both.logits, 1, 1, 2).value(), alone.logits.value()) < exact);
  CHECK(compare::relative_error(alone.logits.value().rows(0, 2), other.logits.value().rows(0, 2)) < exact);
  CHECK(compare::relative_error(alone.logits.value(), other.logits.value()) > 1e-3);
  REQUIRE((both.written.size() == 3 && both.read.size() == 3));
  for (const std::vector<Var>& heads : {both.written, both.read})
    for (const Var& w : heads) {
      REQUIRE(w.shape() == autograd::Shape{2, 6});
      for (std::size_t b = 0; b < 2; ++b) {
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) sum += static_cast<double>(w.value()[b * 6 + i]);
        CHECK(sum == Approx(1).epsilon(1e-5));
      }
    }
}
