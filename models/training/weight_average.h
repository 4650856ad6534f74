// These functions average the weights of a model: over the steps of a training (exponential moving average, EMA), or
// over checkpoints. An average changes less from step to step than the weights, and often translates better.
#pragma once

#include <cstdint>
#include <vector>

#include "models/checkpoint.h"

namespace softalign::models {

// WeightAverage is the exponential moving average a_t of the parameters theta_t over the steps t = 1, 2 .. of a
// training. The decay d is a number below 1:
//
//   a_t = a_{t-1} + w_t (theta_t - a_{t-1})        w_t = (1 - d) / (1 - d^t)
//
// The first weight w_1 is 1, so a_1 = theta_1, and the initial random weights have no influence. The formula is equal
// to s_t / (1 - d^t) with s_t = d s_{t-1} + (1 - d) theta_t and s_0 = 0. Adam corrects the bias of its averages in the
// same way (Kingma & Ba 2015).
class WeightAverage {
 public:
  // d is `decay`. Throws std::invalid_argument unless it is in (0, 1).
  WeightAverage(const autograd::Params& params, double decay);

  void update(std::uint64_t step);  // call it after each step of the optimiser
  NamedArrays state() const;        // "ema/NAME", handles as in Optimiser::state

  // While an InForce exists, the model's parameters have the averaged values.
  class InForce {
   public:
    explicit InForce(WeightAverage& average) : average_(average) { average_.swap(); }
    ~InForce() { average_.swap(); }
    InForce(const InForce&) = delete;
    InForce& operator=(const InForce&) = delete;

   private:
    WeightAverage& average_;
  };

 private:
  void swap();

  autograd::Params params_;
  double decay_;
  std::vector<autograd::Array> averages_;  // in the order of the parameters
};

// Sets the parameters to the mean of the parameters in the checkpoints: Vaswani et al. 2017, section 6.1, average the
// last checkpoints of a training in this way. The sum is computed in double precision. Throws std::invalid_argument if
// there are no checkpoints. Throws data::Error if names or shapes differ from the model's; the message names the file.
void set_to_mean(const autograd::Params& params, const std::vector<Checkpoint>& checkpoints);

}  // namespace softalign::models
