// Pool: memory for arrays that is reused from step to step, so that after the first batches training asks the system
// for nothing. Small blocks come in size classes (four per doubling), so that varying sentence lengths stop growing it,
// and stay with the thread that gives them, whose core has them in its cache, if it took as many. Large ones are cut
// from what lies free and become one with it again (autograd/storage/internal/large_blocks.h).
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace autograd {

// More is asked for than the machine has; says how much of what.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// A 64-byte aligned block of at least `bytes` bytes, contents undefined. Large blocks ask for huge pages. Thread-safe.
// NotEnoughMemory before the system begins to end programs, std::bad_alloc where it gives none.
void* pool_take(std::size_t bytes);
// Gives a block back; `bytes` as it was taken. Debug builds fill it with NaN, sanitized builds forbid its use.
void pool_give(void* block, std::size_t bytes) noexcept;

struct PoolStatistics {
  std::size_t system_bytes = 0;  // taken from the system so far (never given back)
  std::size_t in_use_bytes = 0;  // held by live arrays now
  std::size_t system_calls = 0;  // how often the system was asked
  // What those arrays asked for, without what blocks are larger, and the most of it since pool_forget_most(): of
  // several threads the sum of each one's most.
  std::size_t asked_bytes = 0, most_asked_bytes = 0;
};
PoolStatistics pool_statistics();
void pool_forget_most();

}  // namespace autograd
