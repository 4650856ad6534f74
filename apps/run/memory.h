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

// Throws data::Error (out_of_memory) if `need` is more than the process may take (autograd/memory.h). The message names
// the program, each part of its need, and what to try.
void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice);

// Returns the largest number of bytes in arrays during the work, in addition to the arrays that exist before it. Other
// threads should be idle.
double arrays_at_most(const std::function<void()>& work);

// BatchMemory estimates the memory for a batch from small batches. The arrays of a model for B pairs with S source
// words and T target words grow as
//   m(B, S, T) = a + B (b + c S + d T + e S T + f S^2 + g T^2)
// where a (gradients, packed weights) does not depend on the batch, e belongs to attention, and f and g belong to
// self-attention.
class BatchMemory {
 public:
  // Large blocks are larger than their arrays, and a few stay free for the next batch (measured by
  // tests/apps/test_memory.py).
  static constexpr double waste = 1.3;

  // Runs `work` on eight batches of at most 48 pairs, with at most `source` and `target` words. Memory that remains
  // after the first batch is a part of a. Other threads should be idle. `example` makes a pair with these numbers of
  // words.
  using Example = std::function<data::EncodedPair(std::size_t source, std::size_t target)>;
  BatchMemory(const std::function<void(const data::Batch&)>& work, const Example& example, std::size_t source,
              std::size_t target);

  // Returns the largest number of bytes during the work. It is a double, so impossible sizes do not overflow.
  double operator()(std::size_t pairs, std::size_t source, std::size_t target) const;

 private:
  double a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0, g_ = 0;
};

}  // namespace softalign::apps
