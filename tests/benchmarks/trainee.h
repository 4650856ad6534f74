// A Trainee is a model with the state of its training, as in apps/train.
#pragma once

#include <memory>

#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "autograd/threads/thread_trials.h"
#include "models/registry.h"
#include "tests/models/training/seq2seq_step.h"

using namespace softalign;

namespace benchmarks {

struct Trainee {
  autograd::Random random;
  autograd::Params params;
  std::unique_ptr<models::Seq2Seq> model;
  autograd::Optimiser optimiser;
  autograd::ThreadTrials trials;

  Trainee(const models::ModelOptions& options, std::uint64_t seed)
      : random(seed),
        params(random.split("parameters")),
        model(models::make_model(options, params)),
        optimiser(params, {}),
        trials(autograd::worthwhile_shards(params, autograd::threads())) {}

  seq2seq_step::StepResult learn(const data::Batch& batch) {
    seq2seq_step::StepResult result;
    const std::size_t shards = autograd::worthwhile_shards(params, autograd::threads());
    const autograd::ThreadLimit limit(shards == 1 ? autograd::threads()
                                                  : static_cast<int>(autograd::parts_of_batch(batch.size, shards)));
    trials.run(double(batch.size * batch.targets.steps),
               [&] { result = seq2seq_step::learn(*model, params, optimiser, {batch}, {}, {}, random); });
    return result;
  }
};

}  // namespace benchmarks
