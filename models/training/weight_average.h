// Averages of a model's weights: over the steps of a training (EMA), and over checkpoints. An average changes less from
// step to step than the weights, and often translates better.
#pragma once

#include <cstdint>
#include <vector>

#include "models/checkpoint.h"

namespace softalign::models {

// The exponential moving average a of the parameters theta over the steps t = 1, 2 .. of a training:
//   a_t = a_{t-1} + w_t (theta_t - a_{t-1})        w_t = (1 - d) / (1 - d^t)
// which is s_t / (1 - d^t) with s_t = d s_{t-1} + (1 - d) theta_t and s_0 = 0: the bias correction of Adam (Kingma & Ba
// 2015, section 3). So a_1 = theta_1, and the initial random weights have no influence.
class WeightAverage {
 public:
  // d = `decay`, in (0, 1); else std::invalid_argument.
  WeightAverage(const autograd::Params& params, double decay);

  void update(std::uint64_t step);  // after step t of the optimiser
  NamedArrays state() const;        // "ema/NAME", handles as in Optimiser::state

  // While one lives, the parameters are the averages.
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

// The parameters become the mean of the checkpoints' (as Vaswani et al. 2017, section 6.1, average the last ones of
// a training), summed in double. std::invalid_argument for
// none; data::Error naming the file whose names or shapes are not the model's.
void set_to_mean(const autograd::Params& params, const std::vector<Checkpoint>& checkpoints);

}  // namespace softalign::models
