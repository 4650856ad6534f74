// A training step consists of the forward pass, backward pass, all-reduce, clipping and update. All trainings use these
// functions: the program `train` (Trainer::step in apps/training/trainer.cpp), the alignment layer
// (models/alignment/alignment_training.cpp) and the studies (apps/experiments/learning.cpp).
//
//   - Forward and backward pass: each batch adds its gradient to the gradients of the parameters. Gradient accumulation
//     means that a step has several batches. models/training/batch_gradient.cpp processes a batch of a Seq2Seq.
//   - All-reduce: in data-parallel training, loss and gradient are summed over all processes. This starts while the
//     backward pass still runs (apps/ranks/gradient_sum.h).
//   - Clipping: the gradient is scaled so that its norm is at most `clip`.
//   - Update: the optimiser changes the parameters and sets their gradients to zero.
//
// A step whose loss or gradient is not finite changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

struct Update {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
};

// training_step throws Diverged if the loss or the gradient is not finite. The message says which of the two is not
// finite. It also names the first parameter that is not finite or, if all are finite, the first parameter whose
// gradient is not finite. The parameters are unchanged.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs one training step. run_batch(i) computes the forward and backward pass of batch i. It adds the gradient to the
// gradients of the parameters, and returns the loss. all_reduce() sums the gradients over all processes and returns the
// sum of their losses. A single process needs no all_reduce. training_step returns the norm of the summed gradient
// before clipping.
double training_step(const autograd::Params& params, autograd::Optimiser& optimiser, std::size_t batches,
                     const std::function<double(std::size_t)>& run_batch, const Update& update,
                     const std::function<double()>& all_reduce = {});

// Throws Diverged if a parameter is not finite. The message names the parameter.
void check_finite(const autograd::Params& params);

}  // namespace softalign::models
