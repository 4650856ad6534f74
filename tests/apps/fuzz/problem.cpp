#include "tests/apps/fuzz/problem.h"

#include <sys/resource.h>

#include <ctime>
#include <stdexcept>

#include "data/io/files.h"

using namespace softalign;

namespace fuzz {

namespace {

constexpr double most_seconds = 10;      // per file; without sanitizers the largest takes hundredths of a second
constexpr long most_memory = 3'000'000;  // KB, for all files together; sanitizers keep freed memory

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// Whether the message quotes the JSON library. Quoting the file is allowed, even if the file contains these words.
bool speaks_of_json(const std::string& message, const std::string& path) {
  const char* const words = "json.exception";
  return message.find(words) != std::string::npos && data::read_bytes(path).find(words) == std::string::npos;
}

}  // namespace

std::string problem_of(const Reader& reader, const std::string& path) {
  const double start = cpu_seconds();
  try {
    reader.read(path);
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).empty()) return "a message without words";
    if (speaks_of_json(error.what(), path)) return error.what();
  } catch (const std::exception& error) {
    return std::string("no user's error: ") + error.what();
  }
  if (cpu_seconds() - start > most_seconds) return "too slow";
  return peak_memory() > most_memory ? "too much memory" : "";
}

}  // namespace fuzz
