// Compares the attention-only language model with PyTorch. The tests also check its gradients and how its circuits
// explain its predictions.
#include "models/language_models/attention_only.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using autograd::Array;
using autograd::Ids;
using autograd::Params;
using autograd::Random;
using models::AttentionOnly;

}  // namespace

TEST_CASE("attention only: logits, weights and circuits equal torch's, with all gradients") {
  for (const std::string& name : golden::cases("attention_only")) {
    INFO(name);
    golden::Golden g("attention_only", name);
    const auto layers = g.fact<std::size_t>("layers"), heads = g.fact<std::size_t>("heads");
    const Params p{Random(1)};
    const AttentionOnly model({.words = 5, .width = 4, .layers = layers, .heads = heads}, p);
    g.adopt(p);
    const AttentionOnly::Output out = model(g.fact<Ids>("ids"), 2);
    std::vector<std::pair<std::string, autograd::Var>> outputs{{"logits", out.logits}};
    for (std::size_t l = 0; l < layers; ++l) outputs.emplace_back("weights_" + std::to_string(l), out.weights[l]);
    g.check(outputs);
    const auto equals = [&](const std::string& circuit, const Array& table) {
      INFO(circuit);
      CHECK(compare::relative_error(table, g.array("circuits", circuit)) < golden::tolerance);
    };
    equals("direct", model.direct_path());
    for (std::size_t l = 0; l < layers; ++l) {
      equals("ov_" + std::to_string(l), model.ov_circuit(l, heads - 1));
      equals("qk_" + std::to_string(l), model.qk_circuit(l, heads - 1));
    }
    if (layers == 2) equals("k_composition", model.k_composition(0, heads - 1));
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("attention only: gradients equal central differences") {
  for (const std::size_t layers : {0, 1, 2}) {
    const Params p{Random(1)};
    const AttentionOnly model({.words = 6, .width = 4, .layers = layers, .heads = 2}, p);
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(model({1, 2, 3, 4, 5, 0}, 2).logits, {3, 4, 5, 0, 1, 2}, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

// Elhage et al. 2021, "A mathematical framework for transformer circuits": one layer is a sum over paths.
TEST_CASE(
    "attention only: the logits of one layer are the bigram table plus each head's OV circuit times its weights") {
  const Params p{Random(2)};
  const AttentionOnly model({.words = 6, .width = 8, .layers = 1, .heads = 2}, p);
  const Ids text{3, 1, 5, 1};
  const AttentionOnly::Output out = model(text, 1);
  const Array direct = model.direct_path(), weights = out.weights.front().value();
  const std::vector<Array> ov{model.ov_circuit(0, 0), model.ov_circuit(0, 1)};
  for (std::size_t t = 0; t < text.size(); ++t)
    for (std::size_t v = 0; v < 6; ++v) {
      double sum = static_cast<double>(direct[static_cast<std::size_t>(text[t]) * 6 + v]);
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t i = 0; i <= t; ++i)
          sum += static_cast<double>(weights[(t * 2 + k) * 4 + i]) *
                 static_cast<double>(ov[k][static_cast<std::size_t>(text[i]) * 6 + v]);
      CHECK(static_cast<double>(out.logits.value()[t * 6 + v]) == Approx(sum).epsilon(1e-4).margin(1e-5));
    }
}

TEST_CASE("attention only: no word depends on later words, and without a layer none on earlier ones") {
  for (const std::size_t layers : {0, 2}) {
    const Params p{Random(3)};
    const AttentionOnly model({.words = 6, .width = 4, .layers = layers}, p);
    const Array a = model({1, 2, 3}, 1).logits.value(), b = model({1, 2, 4}, 1).logits.value(),
                c = model({5, 2, 3}, 1).logits.value();
    CHECK(compare::relative_error(a.rows(0, 2), b.rows(0, 2)) == 0);
    CHECK((compare::relative_error(a.rows(1, 3), c.rows(1, 3)) == 0) == (layers == 0));
  }
}
