// This file sums the gradients of a step over all processes of a training.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "apps/ranks/all_reduce.h"
#include "autograd/params.h"

namespace softalign::apps {

// GradientSum sums gradients over the processes (ranks). Gradients are exchanged in groups. The exchange of a group
// starts as soon as its gradients are complete, while the backward pass still runs. All processes exchange the
// gradients in the order in which the first step completed them.
class GradientSum {
 public:
  // `ranks` and `params` must outlive the GradientSum.
  GradientSum(const Communicator& ranks, const autograd::Params& params, GradientDtype gradient_dtype);

  // Call this function when the gradient of a parameter is complete in this process. Do not write into the gradient
  // until finish() returns. finish() treats all other gradients as complete.
  void done(const autograd::Var& parameter);
  // Replaces each gradient by its sum. Gradients of embeddings are sent as rows, and all others as contiguous numbers.
  void finish();
  // Sets the errors of the 8-bit compression to zero (quantised.h), and forms the groups of gradients again in the next
  // step. The trainer calls this function whenever it saves a training state, because the file contains neither errors
  // nor groups. So a training that is resumed continues with the same bytes as one that is not interrupted.
  void drop_errors() {
    if (has_errors_) errors_.clear(), order_.clear(), buckets_.clear(), in_bucket_.clear();
  }

  // Returns the memory that this process needs for the exchange.
  static std::size_t bytes(const Communicator& ranks, const autograd::Params& params, GradientDtype gradient_dtype) {
    return AllReduce::bytes(ranks, params.count(), gradient_dtype);
  }

 private:
  void begin(const std::vector<std::size_t>& parameters);
  void begin_next();  // starts the exchange of the buckets that are complete
  void agree_on_buckets();

  const Communicator& ranks_;
  const autograd::Params& params_;
  AllReduce sums_;
  bool has_errors_;                                      // only with int8
  std::vector<std::vector<Real>> errors_;                // one per parameter; empty: all errors are zero
  std::unordered_map<const void*, std::size_t> places_;  // index of each parameter
  std::vector<std::uint32_t> order_;                     // parameters in the order of completion in the first step
  std::vector<std::vector<std::size_t>> buckets_;        // parameters whose gradients are sent together
  std::vector<bool> in_bucket_, done_;                   // one per parameter; in_bucket_ is empty at first
  std::size_t next_ = 0;                                 // next bucket to send
};

}  // namespace softalign::apps
