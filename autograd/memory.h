// This file measures the memory limit of this process, the memory that the process uses, and the memory of its arrays.
// The programs use it to estimate the memory of a training before the training starts, and to explain why memory was
// refused.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace softalign::autograd {

// The pool throws NotEnoughMemory if a caller requests more memory than the machine has. The message says what needs
// how much.
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
  bool addresses = false;  // it counts addresses, used or not
};

// Returns the smallest of three limits: the machine's memory, the limit of the process's control groups (cgroups,
// versions 1 and 2), and the limit of its address space.
const MemoryLimit& memory_limit();

// Returns the memory that the control groups leave to this process. It reads their files below `root` ("" is the
// system's root). Returns the largest size_t if there is no limit, or if it cannot read the files.
std::size_t control_group_bytes(const std::string& root);

// Returns the bytes that this process uses now, counted in the way of the limit.
double taken_bytes();

// ArrayBytes has the bytes of live arrays: those of now, and the most since forget_most_array_bytes(). The pool
// (autograd/kernels/pool.h) counts them. Without the pool, both are 0.
struct ArrayBytes {
  std::size_t now = 0, most = 0;
};
ArrayBytes array_bytes();
void forget_most_array_bytes();
void count_array_taken(std::size_t bytes);
void count_array_freed(std::size_t bytes);

// Returns the message for refused memory. It says how much memory is used, how much exists, and what the user can do.
std::string describe_refusal(const std::bad_alloc& error);

std::string format_bytes(double bytes);  // "2.3 MB"

}  // namespace softalign::autograd
