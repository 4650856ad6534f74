// The epoch under way: its batches, so many to a step, and how far and how fast it has come.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/terminal/progress.h"
#include "apps/training/state.h"
#include "apps/training/stopwatch.h"

namespace softalign::apps {

using Batches = std::vector<Examples>;

// What one step came to.
struct StepSums {
  std::vector<double> losses;  // Task::losses, sums over the targets, before the update
  std::size_t targets = 0;
  double gradient_norm = 0;  // before clipping
};

// Steps that so many batches make, `accumulate` batches each, the last with what is left.
std::size_t steps_of(std::size_t batches, std::size_t accumulate);

class Epoch {
 public:
  // Goes on where `sums` stand, which must outlive it and grow with every step. The clock starts.
  Epoch(Batches plan, std::size_t accumulate, EpochSums& sums);

  bool done() const { return sums_.batches >= plan_.size(); }
  Batches next() const;  // of the next step
  void add(const StepSums& result);

  std::vector<double> mean_losses() const;  // over the targets so far
  double mean_gradient_norm() const;        // over the steps so far
  double seconds() const { return seconds_; }
  double targets_per_second() const;
  // Of epoch `number` of so many.
  Progress progress(std::size_t number, std::size_t epochs) const;

 private:
  Batches plan_;
  std::size_t accumulate_;
  EpochSums& sums_;
  Stopwatch watch_;
  double seconds_ = 0;       // up to the last step, in this session
  std::size_t targets_ = 0;  // in this session
};

}  // namespace softalign::apps
