// The pool manages the memory of arrays. It takes the memory of small arrays from malloc, and each thread keeps freed
// small arrays for reuse. The pool keeps the memory of large arrays and reuses it, so a training requests no more
// memory after its first batches. The pool keeps at most the largest amount that was in use at once, plus 16 MB.
#pragma once

#include <cstddef>

namespace softalign::autograd {

// Returns a block of at least `bytes` bytes, aligned to 64 bytes and not initialised. For a large block, the function
// asks Linux for huge pages (2 MB each). Several threads may call the function at once. If the arrays would then need
// more memory than memory_limit(), throws NotEnoughMemory (autograd/memory.h). Without this check, Linux might end the
// program. Throws std::bad_alloc if the system returns no memory.
void* pool_take(std::size_t bytes);
// Frees a block. `bytes` must be the size that was given to pool_take. Debug builds fill the block with NaN.
void pool_give(void* block, std::size_t bytes) noexcept;

// Makes all later arrays use this pool, and returns true. gemm.cpp initialises a constant with this return value, so
// that the call happens when the program starts.
bool use_pool();

struct PoolStatistics {
  std::size_t large_bytes = 0;   // memory for large arrays, in use or free
  std::size_t system_calls = 0;  // how often the pool asked the operating system for this memory
};
PoolStatistics pool_statistics();

}  // namespace softalign::autograd
