// The gradients of a step, of which every rank has a part.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "apps/ranks/all_reduce.h"
#include "autograd/params.h"

namespace softalign::apps {

// Sums over the ranks, in the order of ranks. They begin while backward still runs, with the gradients that are whole
// by then, so many together, in an order that all ranks have: that of the first step of a rank that had a part of it.
class GradientSum {
 public:
  // Both must outlive it.
  GradientSum(const Ranks& ranks, const autograd::Params& params, GradientDtype gradient_dtype);

  // The gradient of a parameter is whole in this rank, and nobody writes into it until finish(). What is never called
  // done is taken to be so by then.
  void done(const autograd::Var& parameter);
  // Each gradient <- its sum. Rows of embedding tables travel as rows, all else as numbers side by side.
  void finish();

  // What that takes of this process's memory.
  static std::size_t bytes(const Ranks& ranks, const autograd::Params& params, GradientDtype gradient_dtype) {
    return AllReduce::bytes(ranks, params.count(), gradient_dtype);
  }

 private:
  void begin_next();  // buckets all of whose gradients are done
  void agree_on_buckets();

  const Ranks& ranks_;
  const autograd::Params& params_;
  AllReduce sums_;
  std::unordered_map<const void*, std::size_t> places_;  // of the parameters
  std::vector<std::uint32_t> order_;                     // in which they were done, in the first step
  std::vector<std::vector<std::size_t>> buckets_;        // those whose gradients travel together
  std::vector<bool> in_bucket_, done_;                   // of each parameter; the first empty before the first step
  std::size_t next_ = 0;                                 // bucket to begin
};

}  // namespace softalign::apps
