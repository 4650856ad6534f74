// The pool manages the memory of arrays. It takes small arrays from malloc, through one cache per thread. It keeps the
// pages of large arrays and reuses them, so a training requests no more memory after the first batches. The pool keeps
// at most the largest amount that was in use at once, plus 16 MB.
#pragma once

#include <cstddef>

namespace softalign::autograd {

// Returns an uninitialised block of at least `bytes` bytes, aligned to 64 bytes. A large block requests huge pages.
// Several threads may call this function at once. Throws NotEnoughMemory (autograd/memory.h) before the operating
// system would end programs, and std::bad_alloc if the system returns no memory.
void* pool_take(std::size_t bytes);
// Frees a block. `bytes` must be the size that was given to pool_take. Debug builds fill the block with NaN.
void pool_give(void* block, std::size_t bytes) noexcept;

// Makes all later arrays use this pool. The result initialises a constant in gemm.cpp, so that the call happens when
// the program starts.
bool use_pool();

struct PoolStatistics {
  std::size_t large_bytes = 0;   // memory for large arrays, in use or free
  std::size_t system_calls = 0;  // how often the pool asked the operating system for this memory
};
PoolStatistics pool_statistics();

}  // namespace softalign::autograd
