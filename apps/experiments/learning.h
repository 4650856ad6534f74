// The training of an experiment's model, and its accuracy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "autograd/params.h"
#include "autograd/var.h"

namespace softalign::apps {

// Trains with Adam and gradients clipped at norm 1. The learning rate grows over 50 steps and falls to 0 in the second
// half. `loss` of a step, counted from 0, is a mean. An experiment does not use Trainer (apps/training), because it has
// no corpus, no epochs, no validation and no run folder.
void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss);

// The same, and returns what `measure` finds after each of `measurements` equal parts of the training.
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

// The index of the largest number of a row of n; the first if several are equal.
inline std::size_t largest(const autograd::Real* row, std::size_t n) {
  return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}
// of a row of (rows, n)
inline std::size_t largest(const autograd::Var& rows, std::size_t row, std::size_t n) {
  return largest(rows.value().data() + row * n, n);
}

// The share of rows with the largest number at the right index.
struct Hits {
  double hits = 0, all = 0;
  void count(double hit) { hits += hit, all += 1; }
  double percent() const { return 100 * hits / all; }
};

}  // namespace softalign::apps
