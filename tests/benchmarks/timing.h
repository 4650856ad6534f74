// Measures medians of repeated calls, and the memory of the process.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <utility>
#include <vector>

namespace benchmarks {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The median; for an even number of values, the upper of the two middle ones.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Seconds per call: the median over at least 3 calls and `enough` seconds. The first `warm` calls are not counted.
template <class Work>
double median_seconds(const Work& work, double enough, std::size_t warm = 2) {
  for (std::size_t i = 0; i < warm; ++i) work();
  std::vector<double> times;
  for (const auto start = Clock::now(); times.size() < 3 || seconds_since(start) < enough;) {
    const auto call = Clock::now();
    work();
    times.push_back(seconds_since(call));
  }
  return median(std::move(times));
}

inline double peak_resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

// The resident memory at this moment.
inline double resident_mb() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

}  // namespace benchmarks
