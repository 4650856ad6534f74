// The pool: the memory of arrays. Small arrays come from malloc, by way of what their thread has freed. Large ones come
// from pages of the system that are kept and used again, so that after the first batches a training asks the system for
// nothing. In all they are at most what was used at once, and 16 MB.
#pragma once

#include <cstddef>

namespace softalign::autograd {

// A 64-byte aligned block of at least `bytes` bytes, contents undefined. Large blocks ask for huge pages. Thread-safe.
// NotEnoughMemory (autograd/memory.h) before the system begins to end programs, std::bad_alloc where it gives none.
void* pool_take(std::size_t bytes);
// Frees a block; `bytes` as it was taken. Debug builds fill it with NaN.
void pool_give(void* block, std::size_t bytes) noexcept;

// Makes arrays take their memory here from now on.
bool use_pool();

struct PoolStatistics {
  std::size_t large_bytes = 0;   // held for large arrays, used or not
  std::size_t system_calls = 0;  // how often the system was asked for these
};
PoolStatistics pool_statistics();

}  // namespace softalign::autograd
