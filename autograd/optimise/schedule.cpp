#include "autograd/optimise/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace softalign::autograd {

Schedule::Schedule(const ScheduleOptions& options, std::uint64_t total_steps)
    : options_(options), total_steps_(total_steps) {
  if (!(options.learning_rate >= 0 && std::isfinite(options.learning_rate)))
    throw std::invalid_argument(fmt::format("schedule: learning rate {}", options.learning_rate));
  if (!(options.decay_start >= 0 && options.decay_start <= 1))
    throw std::invalid_argument(fmt::format("schedule: decay start {} is not in [0, 1]", options.decay_start));
  if (options.patience == 0) throw std::invalid_argument("schedule: patience must be at least one epoch");
}

double Schedule::rate(std::uint64_t step, std::uint64_t epoch) const {
  const double t = static_cast<double>(step), warmup = static_cast<double>(options_.warmup_steps);
  double factor = 1;
  if (options_.kind == ScheduleKind::inverse_sqrt)
    factor = std::sqrt(std::max(warmup, 1.0) / std::max({t, warmup, 1.0}));
  if (options_.kind == ScheduleKind::plateau) factor = std::pow(0.5, static_cast<double>(state_.halvings));
  if (options_.kind == ScheduleKind::halve && epoch > options_.halve_after)
    factor = std::pow(0.5, static_cast<double>(epoch - options_.halve_after));
  if (options_.kind == ScheduleKind::linear) {
    const double total = static_cast<double>(total_steps_), start = options_.decay_start * total;
    if (t - 1 > start) factor = std::max(0.0, (total - (t - 1)) / (total - start));
  }
  if (t < warmup) factor *= t / warmup;  // warm-up: a straight line from 0
  return options_.learning_rate * factor;
}

void Schedule::epoch_done(double validation_loss) {
  if (validation_loss < state_.best) {
    state_.best = validation_loss;
    state_.waited = 0;
  } else if (++state_.waited >= options_.patience) {
    ++state_.halvings;
    state_.waited = 0;
  }
}

}  // namespace softalign::autograd
