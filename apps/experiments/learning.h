// This file trains the model of an experiment and measures its accuracy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "autograd/params.h"
#include "autograd/var.h"

namespace softalign::apps {

// Trains with Adam and clips gradients at norm 1. The learning rate grows over the first 50 steps and falls to 0 in the
// second half. `loss` returns the mean loss of a step, and steps are counted from 0. Throws models::Diverged if a loss,
// a gradient or a parameter is not finite. Experiments do not use Trainer (apps/training), because they have no corpus,
// no epochs, no validation and no run folder.
void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss);

// Trains like learn(), and calls measure() `measurements` times, at equal distances and last after the training.
// Returns the results of these calls.
template <class Observe>
auto learn_and_observe(const autograd::Params& params, std::size_t steps, double rate, std::size_t measurements,
                       const Observe& measure, const std::function<autograd::Var(std::size_t step)>& loss) {
  std::vector<decltype(measure())> found;
  learn(params, steps, rate, [&](std::size_t step) {
    if (step > 0 && step % (steps / measurements) == 0) found.push_back(measure());
    return loss(step);
  });
  found.push_back(measure());
  return found;
}

// Returns the index of the largest of n numbers. If several are equal, it returns the first.
inline std::size_t largest(const autograd::Real* row, std::size_t n) {
  return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}
// Returns the index of the largest number in one row of a matrix with n columns.
inline std::size_t largest(const autograd::Var& rows, std::size_t row, std::size_t n) {
  return largest(rows.value().data() + row * n, n);
}

// The struct Hits computes a percentage: `hits` out of `all`. For example, it computes the percentage of rows whose
// largest number is at the right index.
struct Hits {
  double hits = 0, all = 0;
  void count(double hit) { hits += hit, all += 1; }
  double percent() const { return 100 * hits / all; }
};

}  // namespace softalign::apps
