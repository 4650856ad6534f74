#include "apps/experiments/learning.h"

#include "autograd/optimise/optimiser.h"
#include "autograd/optimise/schedule.h"
#include "autograd/var.h"
#include "models/training/step.h"

namespace softalign::apps {

void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss) {
  autograd::Optimiser adam(params, {});
  const autograd::Schedule schedule({.kind = autograd::ScheduleKind::linear, .learning_rate = rate, .warmup_steps = 50},
                                    steps);
  for (std::size_t step = 0; step < steps; ++step) {
    const auto run_batch = [&](std::size_t) {
      const autograd::Var mean = loss(step);
      backward(mean);
      return static_cast<double>(mean.value().item());
    };
    models::training_step(params, adam, 1, run_batch, {.learning_rate = schedule.rate(step + 1, 1), .clip = 1});
  }
  models::check_finite(params);
}

}  // namespace softalign::apps
