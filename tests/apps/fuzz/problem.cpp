#include "tests/apps/fuzz/problem.h"

#include <sys/resource.h>

#include <ctime>
#include <stdexcept>

namespace fuzz {

namespace {

constexpr double most_seconds = 10;      // of a file; the largest takes hundredths without sanitizers
constexpr long most_memory = 3'000'000;  // KB, of all together; sanitizers keep what was freed

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

std::string problem_of(const Reader& reader, const std::string& path) {
  const double start = cpu_seconds();
  try {
    reader.read(path);
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).empty()) return "a message without words";
    if (std::string(error.what()).find("json.exception") != std::string::npos) return error.what();
  } catch (const std::exception& error) {
    return std::string("no user's error: ") + error.what();
  }
  if (cpu_seconds() - start > most_seconds) return "too slow";
  return peak_memory() > most_memory ? "too much memory" : "";
}

}  // namespace fuzz
