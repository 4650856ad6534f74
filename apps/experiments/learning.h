// The training of an experiment's model.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "autograd/params.h"

namespace softalign::apps {

// Adam, gradients clipped at norm 1, the rate growing over 50 steps and falling to 0 in the second half. `loss` of a
// step, counted from 0, is a mean.
void learn(const autograd::Params& params, std::size_t steps, double rate,
           const std::function<autograd::Var(std::size_t step)>& loss);

// The same; what `look` finds after each of `looks` equal shares of the steps.
template <class Look>
auto learn_and_look(const autograd::Params& params, std::size_t steps, double rate, std::size_t looks, const Look& look,
                    const std::function<autograd::Var(std::size_t step)>& loss) {
  std::vector<decltype(look())> found;
  learn(params, steps, rate, [&](std::size_t step) {
    if (step > 0 && step % (steps / looks) == 0) found.push_back(look());
    return loss(step);
  });
  found.push_back(look());
  return found;
}

}  // namespace softalign::apps
