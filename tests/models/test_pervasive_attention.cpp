// Compares pervasive attention with PyTorch. The tests also check gradients and which target words influence a cell.
#include "models/pervasive_attention.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using autograd::Array;
using autograd::Ids;
using autograd::Params;
using autograd::Random;
using models::PervasiveAttention;

PervasiveAttention::Options of_size(std::size_t layers, std::size_t kernel) {
  return {.source_words = 5, .target_words = 4, .embedding = 2, .growth = 3, .layers = layers, .kernel = kernel};
}

}  // namespace

TEST_CASE("pervasive attention: logits and shares of maxima equal torch's, with all gradients") {
  for (const std::string& name : golden::cases("pervasive_attention")) {
    INFO(name);
    golden::Golden g("pervasive_attention", name);
    const Params p{Random(1)};
    const PervasiveAttention model(of_size(g.fact<std::size_t>("layers"), g.fact<std::size_t>("kernel")), p);
    g.adopt(p);
    const PervasiveAttention::Output out = model(g.fact<Ids>("source"), g.fact<Ids>("previous"), 2);
    g.check({{"logits", out.logits}});
    CHECK(compare::relative_error(out.weights, g.fact_array("weights")) < golden::tolerance);
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("pervasive attention: gradients equal central differences") {
  for (const std::size_t kernel : {1, 3, 5}) {
    const Params p{Random(1)};
    const PervasiveAttention model(of_size(2, kernel), p);
    Random random(2);
    compare::randomise(p, random);
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(model({1, 2, 3, 4, 0, 1}, {1, 2, 3, 0}, 2).logits, {3, 2, 1, 0}, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("pervasive attention: a target word depends on earlier ones and on all source words nearby") {
  const Params p{Random(3)};
  const PervasiveAttention model(of_size(2, 3), p);
  const auto rows = [&](const Ids& source, const Ids& previous, std::size_t first, std::size_t end) {
    return model(source, previous, 1).logits.value().rows(first, end);
  };
  CHECK(compare::relative_error(rows({1, 2, 3}, {0, 1, 2}, 0, 2), rows({1, 2, 3}, {0, 1, 3}, 0, 2)) == 0);
  CHECK(compare::relative_error(rows({1, 2, 3}, {0, 1, 2}, 1, 2), rows({1, 2, 3}, {3, 1, 2}, 1, 2)) > 1e-4);
  CHECK(compare::relative_error(rows({1, 2, 3}, {0, 1, 2}, 0, 1), rows({1, 2, 4}, {0, 1, 2}, 0, 1)) > 1e-4);
  CHECK_THROWS_AS(PervasiveAttention(of_size(1, 2), Params{Random(4)}), std::invalid_argument);
}

TEST_CASE("pervasive attention: with windows of one cell the order of the source words has no effect") {
  const auto change = [](std::size_t kernel) {
    const Params p{Random(5)};
    const PervasiveAttention model(of_size(2, kernel), p);
    return compare::relative_error(model({1, 2, 3}, {0, 1}, 1).logits.value(),
                                   model({3, 1, 2}, {0, 1}, 1).logits.value());
  };
  CHECK(change(1) == 0);
  CHECK(change(3) > 1e-4);
}
