// Options that every program has, and the error for wrong usage of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace apps {

class CommandLine;

struct CommonOptions {
  std::uint64_t seed = 1;   // of everything random
  std::size_t threads = 0;  // 0: one per core
};

// Wrong usage that only shows after parsing; exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace apps
