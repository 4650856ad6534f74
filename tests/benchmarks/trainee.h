// Trainee: a model with what training it takes, as apps/train has it.
#pragma once

#include <memory>

#include "models/registry.h"
#include "models/training/step.h"

namespace benchmarks {

struct Trainee {
  autograd::Random random;
  autograd::Params params;
  std::unique_ptr<models::Seq2Seq> model;
  autograd::Optimiser optimiser;

  Trainee(const models::ModelOptions& options, std::uint64_t seed)
      : random(seed),
        params(random.split("parameters")),
        model(models::make_model(options, params)),
        optimiser(params, {}) {}

  models::StepResult learn(const data::Batch& batch) {
    return training_step(*model, params, optimiser, {batch}, {}, {}, random);
  }
};

}  // namespace benchmarks
