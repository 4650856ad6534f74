// A training step consists of forward pass, backward pass, all-reduce, clipping and update. The program `train` takes
// every step here (Trainer::step in apps/training/trainer.cpp).
//
//   forward, backward   Each batch of the step adds its gradient to the parameters' (models/training/batch_gradient.cpp
//                       does so for a Seq2Seq). Several batches are gradient accumulation.
//   all-reduce          In data-parallel training, loss and gradient are summed over the processes: Trainer::step calls
//                       apps/ranks/gradient_sum.h, which starts while the backward pass still runs.
//   clip                The gradient is scaled so that its norm is at most `clip`.
//   update              The optimiser changes the parameters and clears their gradients.
//
// A step whose loss or gradient is not finite changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

// A RankSlice is the part of every batch that one of several processes (ranks) uses. Each process splits a batch into
// the parts of all ranks and takes its own part.
struct RankSlice {
  std::size_t place = 0, of = 1;
};

struct Update {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
};

// training_step throws Diverged if the loss or the gradient is not finite. The message names the loss or the gradient,
// and the first parameter that is not finite, or whose gradient is not finite. The parameters are unchanged.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs one step. run_batch(i) runs batch i forward and backward: it adds the gradient to the parameters' gradients and
// returns the loss. all_reduce(loss) sums the gradients over all processes and returns the sum of their losses; a
// single process needs none. Returns the norm of the summed gradient before clipping.
double training_step(const autograd::Params& params, autograd::Optimiser& optimiser, std::size_t batches,
                     const std::function<double(std::size_t)>& run_batch, const Update& update,
                     const std::function<double(double)>& all_reduce = {});

// Throws Diverged if a parameter is not finite. The message names the parameter.
void check_finite(const autograd::Params& params);

}  // namespace softalign::models
