#include "apps/experiments/learning.h"

#include "autograd/optimise/clip.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/optimise/schedule.h"
#include "autograd/var.h"

namespace softalign::apps {

void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss) {
  autograd::Optimiser adam(params, {});
  const autograd::Schedule schedule({.kind = autograd::ScheduleKind::linear, .learning_rate = rate, .warmup_steps = 50},
                                    steps);
  for (std::size_t step = 0; step < steps; ++step) {
    backward(loss(step));
    clip_by_global_norm(params, 1);
    adam.step(schedule.rate(step + 1, 1));
  }
}

}  // namespace softalign::apps
