// Schedule computes the learning rate of every training step.
#pragma once

#include <cstdint>
#include <limits>

#include "autograd/names.h"

namespace softalign::autograd {

enum class ScheduleKind { constant, inverse_sqrt, plateau, halve, linear };
constexpr auto names_of(ScheduleKind) {
  return names<ScheduleKind>({{"constant", ScheduleKind::constant},
                              {"inverse-sqrt", ScheduleKind::inverse_sqrt},
                              {"plateau", ScheduleKind::plateau},
                              {"halve", ScheduleKind::halve},
                              {"linear", ScheduleKind::linear}});
}

// ScheduleOptions has the options of a schedule. The comment above the class Schedule explains them.
struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::linear;
  double learning_rate = 2e-3;
  std::uint64_t warmup_steps = 0;
  std::uint64_t patience = 2;
  std::uint64_t halve_after = 5;
  double decay_start = 0.5;
};

// Each kind of schedule computes the learning rate from the number of the step or of the epoch. Steps and epochs count
// from 1. Each kind may start with a warm-up: up to step `warmup_steps`, the rate is multiplied by step / warmup_steps.
//   constant      The rate is learning_rate.
//   inverse-sqrt  The rate is learning_rate sqrt(warmup / step) after warmup = max(1, warmup_steps) steps:
//                 Vaswani et al. 2017, eq. 3, where learning_rate is the largest rate.
//   plateau       The rate is halved whenever `patience` epochs in a row have brought no new best validation loss.
//   halve         The rate is halved at every epoch after epoch `halve_after`:
//                 Luong et al. 2015, section 4.1, where this is epoch 5 of 10.
//   linear        The rate is constant for the fraction `decay_start` of all steps, and then falls linearly to 0.
class Schedule {
 public:
  // State is the part of a schedule that a checkpoint stores.
  struct State {
    double best = std::numeric_limits<double>::infinity();  // validation loss
    std::uint64_t waited = 0;                               // epochs since the best, or since the last halving
    std::uint64_t halvings = 0;
  };

  // `total_steps` is the number of steps of the training; only the kind `linear` uses it. Throws std::invalid_argument
  // if an option is out of its range.
  Schedule(const ScheduleOptions& options, std::uint64_t total_steps);

  double rate(std::uint64_t step, std::uint64_t epoch) const;
  void epoch_done(double validation_loss);

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  ScheduleOptions options_;
  std::uint64_t total_steps_;
  State state_;
};

}  // namespace softalign::autograd
