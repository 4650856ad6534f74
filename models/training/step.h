// One step of training: forward, backward, clip, update. train takes every step here (Trainer::step in
// apps/training/trainer.cpp).
//
//   forward, backward   for every batch of the step: its losses, and their gradient, which adds up in the parameters
//                       (of a Seq2Seq: models/training/batch_gradient.cpp)
//                       With several processes the last batch also sums losses and gradients over all of them
//                       (apps/ranks/gradient_sum.h).
//   clip                the gradient is scaled so that its norm is at most `clip`
//   update              the optimiser changes the parameters and clears their gradients
//
// A step whose loss or gradient is not finite changes nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>

#include "autograd/optimise/optimiser.h"
#include "autograd/params.h"

namespace softalign::models {

// The part of every batch that one of several processes learns from: each cuts a batch into the parts of all, and takes
// those of its place.
struct RankSlice {
  std::size_t place = 0, of = 1;
};

struct Update {
  double learning_rate = 1e-3;
  double clip = 1;  // largest norm of the gradient; 0: no limit
};

// Loss or gradient is not finite; the message says which, and the first parameter whose numbers or gradient are not.
// The parameters are as they were before the step.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// run_batch(i) runs batch i forward and backward: it adds the gradient to the parameters' and returns the loss. The
// result is the norm of the summed gradient before clipping.
double training_step(const autograd::Params& params, autograd::Optimiser& optimiser, std::size_t batches,
                     const std::function<double(std::size_t)>& run_batch, const Update& update);

// Diverged, naming the parameter, if one is not finite.
void check_finite(const autograd::Params& params);

}  // namespace softalign::models
