#include "apps/training/epoch.h"

#include <algorithm>
#include <utility>

namespace softalign::apps {

namespace {

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

}  // namespace

std::size_t steps_of(std::size_t batches, std::size_t accumulate) { return (batches + accumulate - 1) / accumulate; }

Epoch::Epoch(Batches plan, std::size_t accumulate, EpochSums& sums)
    : plan_(std::move(plan)), accumulate_(accumulate), sums_(sums) {}

Batches Epoch::next() const {
  const auto first = plan_.begin() + static_cast<std::ptrdiff_t>(sums_.batches);
  const std::size_t count = std::min(accumulate_, plan_.size() - sums_.batches);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

void Epoch::add(const StepSums& result) {
  sums_.batches += next().size();
  for (std::size_t i = 0; i < result.losses.size(); ++i) sums_.losses[i] += result.losses[i];
  sums_.gradient_norms += result.gradient_norm;
  sums_.targets += result.targets;
  targets_ += result.targets;
  seconds_ = watch_.seconds();
}

std::vector<double> Epoch::mean_losses() const {
  std::vector<double> means = sums_.losses;
  for (double& loss : means) loss /= static_cast<double>(sums_.targets);
  return means;
}

double Epoch::mean_gradient_norm() const {
  return sums_.gradient_norms / static_cast<double>(steps_of(sums_.batches, accumulate_));
}

double Epoch::targets_per_second() const { return ratio(static_cast<double>(targets_), seconds_); }

Progress Epoch::progress(std::size_t number, std::size_t epochs) const {
  Progress p;
  p.epoch = number;
  p.epochs = epochs;
  p.done = ratio(static_cast<double>(sums_.batches), static_cast<double>(plan_.size()));
  p.loss = ratio(sums_.losses.front(), static_cast<double>(sums_.targets));
  p.words_per_second = targets_per_second();
  // the targets left, if every epoch has as many as this one promises
  const double an_epoch = ratio(static_cast<double>(sums_.targets), p.done);
  const double epochs_left = static_cast<double>(epochs - number) + 1 - p.done;
  p.seconds_left = ratio(an_epoch * epochs_left, p.words_per_second);
  return p;
}

}  // namespace softalign::apps
