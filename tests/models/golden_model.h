// Compares a model with tests/golden: loss, attention and the gradient of every parameter.
#pragma once

#include "tests/golden.h"
#include "tests/models/kinds.h"

using namespace softalign;

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
  const TeacherForced forced = made.model.teacher_forced(batch, &training);
  CHECK(compare::relative_error(forced.losses.value(), g.fact_array("losses")) < golden::tolerance);
  REQUIRE(forced.weights.matrix.defined() == g.has("attention"));
  if (g.has("attention")) {
    const Var& alpha = forced.weights.matrix;
    CHECK(compare::relative_error(alpha.value(), g.fact_array("attention").reshaped(alpha.shape())) <
          golden::tolerance);
  }
  g.check({{"loss", mean_loss(forced, batch)}});
}

}  // namespace kinds
