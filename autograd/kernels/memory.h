// The memory of arrays. Small arrays come from malloc, by way of what their thread has freed. Large ones come from
// pages of the system that are kept and used again, so that after the first batches a training asks the system for
// nothing. In all they are at most what was used at once, and 16 MB.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace softalign::autograd {

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
// Frees a block; `bytes` as it was taken. Debug builds fill it with NaN.
void pool_give(void* block, std::size_t bytes) noexcept;

// Makes arrays take their memory here from now on.
bool use_pool();

struct PoolStatistics {
  std::size_t asked_bytes = 0, most_asked_bytes = 0;  // of live arrays now, and at most since pool_forget_most()
  std::size_t large_bytes = 0;                        // held for large arrays, used or not
  std::size_t system_calls = 0;                       // how often the system was asked for these
};
PoolStatistics pool_statistics();
void pool_forget_most();

// How much memory this process may take.
struct MemoryLimit {
  std::size_t bytes;
  std::string of;          // who sets it: "this machine", "its control group", "ulimit -v"
  bool addresses = false;  // it counts addresses, used or not
};

// The smallest of the machine's memory, that of the control groups which the process is in (cgroups, versions 1 and 2)
// and its address space.
const MemoryLimit& memory_limit();

// What the control groups leave, their files being read below `root` ("": the system's); the largest size_t where they
// leave everything, or cannot be read.
std::size_t control_group_bytes(const std::string& root);

// The bytes that this process holds now, as the limit counts them.
double taken_bytes();

// The message for refused memory: how much is taken, of how much, and what to try.
std::string describe_refusal(const std::bad_alloc& error);

std::string format_bytes(double bytes);  // "2.3 MB"

}  // namespace softalign::autograd
