// This file measures how much memory this process may use, how much it uses, and how much of it belongs to arrays. The
// programs use these numbers to estimate the memory of a training before it starts, and to explain why the system
// refused memory.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace softalign::autograd {

// The memory pool for arrays throws NotEnoughMemory if a caller requests more memory than there is. The message says
// how much memory is used, how much more is needed, and how much there is.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// MemoryLimit says how much memory this process may take.
struct MemoryLimit {
  std::size_t bytes;
  std::string of;          // who sets it: "this machine", "its control group", "ulimit -v"
  bool addresses = false;  // the limit counts all mapped addresses, used or not
};

// Returns the smallest of three limits: the machine's memory, the limit of the process's control groups, and the limit
// of its address space (`ulimit -v`). A control group is a set of processes that Linux limits together.
const MemoryLimit& memory_limit();

// Returns the memory limit that Linux control groups set for this process. The function reads the groups' files below
// the folder `root`; the empty name stands for the real root of the file system. Returns the largest size_t if there is
// no limit, or if the files cannot be read.
std::size_t control_group_bytes(const std::string& root);

// Returns the number of bytes that this process uses now. If memory_limit() is the limit of the address space (`ulimit
// -v`), the number includes reserved addresses without memory, because this limit counts them too.
double taken_bytes();

// ArrayBytes counts the bytes in arrays. `now` is the current number, and `most` is the largest number since the last
// call of forget_most_array_bytes(). The memory pool counts the bytes (autograd/kernels/pool.h). In a build without the
// pool, `now` and `most` are 0.
struct ArrayBytes {
  std::size_t now = 0, most = 0;
};
ArrayBytes array_bytes();
void forget_most_array_bytes();
void count_array_taken(std::size_t bytes);
void count_array_freed(std::size_t bytes);

// Returns the message for an allocation that failed. The message says how much memory is used, how much there is, and
// what the user can do.
std::string describe_refusal(const std::bad_alloc& error);

std::string format_bytes(double bytes);  // "2.3 MB"

}  // namespace softalign::autograd
