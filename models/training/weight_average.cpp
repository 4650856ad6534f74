#include "models/training/weight_average.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace softalign::models {

using autograd::Array;
using autograd::Parameter;
using autograd::Real;

WeightAverage::WeightAverage(const autograd::Params& params, double decay) : params_(params), decay_(decay) {
  if (!(decay > 0 && decay < 1)) {
    throw std::invalid_argument(fmt::format("weight average: decay {}; a number between 0 and 1 expected", decay));
  }
  for (const Parameter& p : params.all()) averages_.push_back(autograd::zeros(p.var.shape()));
}

// a_t = a_{t-1} + w_t (theta_t - a_{t-1})
void WeightAverage::update(std::uint64_t step) {
  const auto w = static_cast<Real>((1 - decay_) / (1 - std::pow(decay_, static_cast<double>(step))));
  for (std::size_t p = 0; p < averages_.size(); ++p) {
    const Array& theta = params_.all()[p].var.value();
    for (std::size_t i = 0; i < theta.size(); ++i) averages_[p][i] += w * (theta[i] - averages_[p][i]);
  }
}

NamedArrays WeightAverage::state() const {
  NamedArrays named;
  for (std::size_t p = 0; p < averages_.size(); ++p) named.push_back({"ema/" + params_.all()[p].name, averages_[p]});
  return named;
}

void WeightAverage::swap() {
  for (std::size_t p = 0; p < averages_.size(); ++p) std::swap(params_.all()[p].var.mutable_value(), averages_[p]);
}

void set_to_mean(const autograd::Params& params, const std::vector<Checkpoint>& checkpoints) {
  if (checkpoints.empty()) throw std::invalid_argument("set_to_mean: no checkpoint given");
  const NamedArrays live = named_arrays(params);
  std::vector<std::vector<double>> sums;
  for (const NamedArray& a : live) sums.emplace_back(a.array.size());
  for (const Checkpoint& checkpoint : checkpoints) {
    restore(checkpoint.path, checkpoint.parameters, live);
    for (std::size_t p = 0; p < live.size(); ++p)
      for (std::size_t i = 0; i < sums[p].size(); ++i) sums[p][i] += static_cast<double>(live[p].array[i]);
  }
  const auto n = static_cast<double>(checkpoints.size());
  for (std::size_t p = 0; p < live.size(); ++p)
    for (std::size_t i = 0; i < sums[p].size(); ++i)
      params.all()[p].var.mutable_value()[i] = static_cast<Real>(sums[p][i] / n);
}

}  // namespace softalign::models
