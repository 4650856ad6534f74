// What a program is about to take of the machine's memory, counted before it begins.
#pragma once

#include <string>
#include <vector>

#include "autograd/kernels/memory.h"

namespace softalign::apps {

struct MemoryPart {
  std::string what;
  double bytes = 0;
};
using MemoryNeed = std::vector<MemoryPart>;

double total(const MemoryNeed& need);
std::string describe(const MemoryNeed& need);  // "parameters 2.1 MB, gradients 2.1 MB"

using autograd::describe_refusal;
using autograd::taken_bytes;

// std::runtime_error if `need` is more than the process may take (autograd/kernels/memory.h), with what needs
// it, each part, and what to try.
void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice);

}  // namespace softalign::apps
