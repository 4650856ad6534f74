// This file sums the gradients of a step over all processes of a training.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "apps/ranks/all_reduce.h"
#include "autograd/params.h"

namespace softalign::apps {

// GradientSum sums gradients over the processes (ranks). The exchange starts while the backward pass still runs, as
// soon as a group of gradients is complete. All processes exchange gradients in the order in which they were completed
// in the first step.
class GradientSum {
 public:
  // Both must outlive it.
  GradientSum(const Communicator& ranks, const autograd::Params& params, GradientDtype gradient_dtype);

  // Call this function when the gradient of a parameter is complete in this process. Do not write into the gradient
  // until finish() returns. finish() treats all other gradients as complete.
  void done(const autograd::Var& parameter);
  // Replaces each gradient by its sum. Gradients of embeddings are sent as rows, and all others as contiguous numbers.
  void finish();
  // Drops what the 8-bit sums have lost so far. The trainer calls it whenever it saves a state, because the state does
  // not contain these errors: then a training that is resumed and one that goes on continue with the same bytes. Groups
  // of gradients are agreed on again, as after the first step, because numbers of one block share their scale.
  void drop_errors() {
    if (has_errors_) errors_.clear(), order_.clear(), buckets_.clear(), in_bucket_.clear();
  }

  // Returns the memory that this process needs for the exchange.
  static std::size_t bytes(const Communicator& ranks, const autograd::Params& params, GradientDtype gradient_dtype) {
    return AllReduce::bytes(ranks, params.count(), gradient_dtype);
  }

 private:
  void begin(const std::vector<std::size_t>& parameters);
  void begin_next();  // buckets all of whose gradients are done
  void agree_on_buckets();

  const Communicator& ranks_;
  const autograd::Params& params_;
  AllReduce sums_;
  bool has_errors_;                                      // with int8
  std::vector<std::vector<Real>> errors_;                // of each parameter, as large as it; empty: all zero
  std::unordered_map<const void*, std::size_t> places_;  // of the parameters
  std::vector<std::uint32_t> order_;                     // in which they were done, in the first step
  std::vector<std::vector<std::size_t>> buckets_;        // those whose gradients travel together
  std::vector<bool> in_bucket_, done_;                   // of each parameter; the first empty before the first step
  std::size_t next_ = 0;                                 // bucket to begin
};

}  // namespace softalign::apps
