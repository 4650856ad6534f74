// What a program is about to take of the machine's memory, counted before it begins.
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

// data::Error (out_of_memory) if `need` is more than the process may take (autograd/memory.h), with what needs
// it, each part, and what to try.
void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice);

// Bytes of arrays at the height of the work, in addition to those that exist before it. Other threads should rest.
double arrays_at_most(const std::function<void()>& work);

// What working on a batch takes, learnt from small batches: the arrays of a model that reads S source words and writes
// T target words of B pairs at once grow as
//   m(B, S, T) = a + B (b + c S + d T + e S T + f S^2 + g T^2)
// where a (gradients, weights laid out for products) does not depend on the batch, e is of attention, and f and g are
// of self-attention.
class BatchMemory {
 public:
  // Large blocks are larger than their arrays, and a few stay free for the next batch (measured by
  // tests/apps/test_memory.py).
  static constexpr double waste = 1.3;

  // `work` is done on eight batches of at most 48 pairs, no sentence longer than `source` and `target` words; what it
  // keeps after the first is a part of a. Other threads should rest. `example` makes a pair of so many words a side.
  using Example = std::function<data::EncodedPair(std::size_t source, std::size_t target)>;
  BatchMemory(const std::function<void(const data::Batch&)>& work, const Example& example, std::size_t source,
              std::size_t target);

  // Bytes at the height of the work, in doubles: sizes that no machine has do not overflow.
  double operator()(std::size_t pairs, std::size_t source, std::size_t target) const;

 private:
  double a_ = 0, b_ = 0, c_ = 0, d_ = 0, e_ = 0, f_ = 0, g_ = 0;
};

}  // namespace softalign::apps
