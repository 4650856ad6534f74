// This file estimates the memory that a program will need, before the program starts to work.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "autograd/memory.h"
#include "data/corpus/batches.h"

namespace softalign::apps {

struct MemoryPart {
  std::string what;
  double bytes = 0;
};
using MemoryNeed = std::vector<MemoryPart>;

double total(const MemoryNeed& need);
std::string describe(const MemoryNeed& need);  // "parameters 2.1 MB, gradients 2.1 MB"

using autograd::describe_refusal;
using autograd::taken_bytes;

// Throws data::Error (out_of_memory) if `need` is more memory than the process may take (autograd/memory.h). The
// message names the program, each part of the need, and what the user can try.
void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice);

// Runs `work` and returns the largest number of bytes in its arrays. Arrays that exist before the call do not count.
// Other threads should be idle.
double arrays_at_most(const std::function<void()>& work);

// BatchMemory estimates the memory for a batch from smaller batches. For B pairs with S source words and T target
// words, the arrays of a model need m bytes. The constants a to g depend on the model:
//   m(B, S, T) = a + B (b + c S + d T + e S T + f S^2 + g T^2)
// The part a is needed for any batch (gradients, packed weights). The factor e comes from attention, and f and g come
// from self-attention.
class BatchMemory {
 public:
  // A batch needs `waste` times as much memory as its arrays, because large blocks of memory are rounded up, and a few
  // blocks stay free for the next batch. tests/apps/test_memory.py measured this factor.
  static constexpr double waste = 1.3;

  // Measures the memory of `work` on batches of different sizes, to find the constants a to g. It uses eight batches,
  // with at most 48 pairs each. example(s, t) makes a pair of s source words and t target words, with s at most
  // `source` and t at most `target`. The constant a also contains the memory that is still in use after the first
  // batch. Other threads should be idle.
  using Example = std::function<data::EncodedPair(std::size_t source, std::size_t target)>;
  BatchMemory(const std::function<void(const data::Batch&)>& work, const Example& example, std::size_t source,
              std::size_t target);

  // Returns the estimate for a batch of this size: the largest number of bytes in use at one time. The result is a
  // double, so that sizes beyond any memory do not overflow.
  double operator()(std::size_t pairs, std::size_t source, std::size_t target) const;

 private:
  double a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0, g_ = 0;
};

}  // namespace softalign::apps
