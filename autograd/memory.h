// The memory limit of this process, the memory that it uses, and the memory of its arrays. The programs estimate the
// memory of a training before it starts, and explain a refusal.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace softalign::autograd {

// Thrown if more memory is requested than the machine has. The message says what needs how much.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string what) : what_(std::move(what)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

// How much memory this process may take.
struct MemoryLimit {
  std::size_t bytes;
  std::string of;          // who sets it: "this machine", "its control group", "ulimit -v"
  bool addresses = false;  // it counts addresses, used or not
};

// The smallest of three limits: the machine's memory, the process's control groups (cgroups, versions 1 and 2), and its
// address space.
const MemoryLimit& memory_limit();

// The memory that the control groups leave. Their files are read below `root` ("" is the system's root). The result is
// the largest size_t if there is no limit or the files cannot be read.
std::size_t control_group_bytes(const std::string& root);

// The bytes that this process uses now, as the limit counts them.
double taken_bytes();

// The bytes of live arrays now, and at most since forget_most_array_bytes(). The pool (autograd/kernels/pool.h) counts
// them; without it both are 0.
struct ArrayBytes {
  std::size_t now = 0, most = 0;
};
ArrayBytes array_bytes();
void forget_most_array_bytes();
void count_array_taken(std::size_t bytes);
void count_array_freed(std::size_t bytes);

// The message for refused memory: how much is used, how much exists, and a remedy.
std::string describe_refusal(const std::bad_alloc& error);

std::string format_bytes(double bytes);  // "2.3 MB"

}  // namespace softalign::autograd
