// A whole model against tests/golden: loss, attention and the gradient of every parameter.
#pragma once

#include "tests/golden.h"
#include "tests/models/kinds.h"

namespace kinds {

inline void check_golden(const std::string& file) {
  INFO(file);
  golden::Golden g(file);
  const Made made(with({}, g.fact<nlohmann::json>("options")));
  g.adopt(made.params);

  const auto sources = g.fact<std::vector<Ids>>("source"), targets = g.fact<std::vector<Ids>>("target");
  std::vector<data::EncodedPair> corpus;
  for (std::size_t i = 0; i < sources.size(); ++i) corpus.push_back({sources[i], targets[i]});
  const Batch batch = data::make_batch(corpus, {0, 1, 2});
  Random random(1);
  const Training training{random, g.fact<Real>("label_smoothing")};
  const Forced forced = made.model.forced(batch, &training);
  CHECK(compare::relative_error(forced.losses.value(), g.fact_array("losses")) < golden::tolerance);
  CHECK(forced.attention.size() == (g.has("attention") ? batch.target_steps : 0));
  for (std::size_t t = 0; t < forced.attention.size(); ++t) {
    const Array step = g.fact_array("attention").rows(t, t + 1);
    CHECK(compare::relative_error(forced.attention[t].value(), step.reshaped({step.dim(1), step.dim(2)})) <
          golden::tolerance);
  }
  g.check({{"loss", mean_loss(forced, batch)}});
}

}  // namespace kinds
