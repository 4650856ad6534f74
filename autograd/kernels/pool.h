// The memory pool of arrays. Small arrays come from malloc, through a cache per thread. Large arrays use pages that are
// kept and reused, so a training requests no more memory after the first batches. The pool keeps at most the largest
// amount that was in use at once, plus 16 MB.
#pragma once

#include <cstddef>

namespace softalign::autograd {

// Returns a 64-byte aligned, uninitialised block of at least `bytes` bytes. Large blocks request huge pages.
// Thread-safe. Throws NotEnoughMemory (autograd/memory.h) before the system would end programs, and std::bad_alloc if
// the system returns no memory.
void* pool_take(std::size_t bytes);
// Frees a block; `bytes` as it was taken. Debug builds fill it with NaN.
void pool_give(void* block, std::size_t bytes) noexcept;

// From now on, arrays use this pool.
bool use_pool();

struct PoolStatistics {
  std::size_t large_bytes = 0;   // held for large arrays, used or not
  std::size_t system_calls = 0;  // how often the system was asked for these
};
PoolStatistics pool_statistics();

}  // namespace softalign::autograd
