// How much memory this process may take.
#pragma once

#include <cstddef>
#include <new>
#include <string>

namespace softalign::autograd {

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
