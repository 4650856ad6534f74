// This file has the options that every program has, and the error for wrong usage of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/io/error.h"
#include "models/option_table.h"

namespace softalign::apps {

class CommandLine;

struct CommonOptions {
  std::uint64_t seed = 1;   // the seed of all random numbers of a program
  std::size_t threads = 0;  // 0: as many as have work
};
inline models::Table table(CommonOptions& o) {
  return {{"seed", &o.seed, "random seed. The same seed gives the same output"},
          {"threads", &o.threads, "number of threads; 0: as many as have work", models::between(0, 1024)}};
}

// UsageError reports wrong usage that the program finds only after parsing. The exit status is then 2.
struct UsageError : data::Error {
  explicit UsageError(const std::string& message) : Error(data::ErrorKind::wrong_usage, message) {}
};

}  // namespace softalign::apps
