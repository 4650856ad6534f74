#include "autograd/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>

namespace softalign::autograd {
namespace {

std::atomic<std::size_t> arrays{0}, most_arrays{0};  // bytes

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t machine_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size) : unlimited;
}

std::size_t address_space_bytes() {
  struct rlimit limit {};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? static_cast<std::size_t>(limit.rlim_cur) : unlimited;
}

// A control group without a limit has the word "max" in this file instead of a number.
std::size_t number_in(const std::string& path) {
  std::size_t number = 0;
  return std::ifstream(path) >> number ? number : unlimited;
}

}  // namespace

// A line is ID:CONTROLLERS:PATH; in version 2, CONTROLLERS is empty. The limits of all parent groups also apply to a
// process.
std::size_t control_group_bytes(const std::string& root) {
  std::size_t least = unlimited;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const std::string base = root + (unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
    const std::string file = unified ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string path = line.substr(second + 1);; path.erase(path.rfind('/'))) {
      least = std::min(least, number_in(base + path + file));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return least;
}

const MemoryLimit& memory_limit() {
  static const MemoryLimit least =
      std::min({MemoryLimit{machine_bytes(), "this machine"}, MemoryLimit{control_group_bytes(""), "its control group"},
                MemoryLimit{address_space_bytes(), "ulimit -v", true}},
               [](const MemoryLimit& a, const MemoryLimit& b) { return a.bytes < b.bytes; });
  return least;
}

double taken_bytes() {
  double addresses = 0, resident = 0;  // pages
  std::ifstream("/proc/self/statm") >> addresses >> resident;
  return (memory_limit().addresses ? addresses : resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

ArrayBytes array_bytes() { return {arrays, most_arrays}; }
void forget_most_array_bytes() { most_arrays = arrays.load(); }

void count_array_taken(std::size_t bytes) {
  const std::size_t now = arrays.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::size_t most = most_arrays.load(std::memory_order_relaxed);
  while (now > most && !most_arrays.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}
void count_array_freed(std::size_t bytes) { arrays.fetch_sub(bytes, std::memory_order_relaxed); }

std::string describe_refusal(const std::bad_alloc& error) {
  const std::string what = error.what(), advice = "smaller batches or fewer hidden units take less";
  if (what != std::bad_alloc().what()) return fmt::format("{}; {}", what, advice);
  return fmt::format("not enough memory: this process has {} of the {} that {} has, and wants more; {}",
                     format_bytes(taken_bytes()), format_bytes(static_cast<double>(memory_limit().bytes)),
                     memory_limit().of, advice);
}

std::string format_bytes(double bytes) {
  if (bytes >= 1e12) return fmt::format("{:.2f} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.1f} kB", bytes / 1e3);
}

}  // namespace softalign::autograd
