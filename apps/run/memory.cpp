#include "apps/run/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "autograd/storage/memory_limit.h"

namespace apps {

double total(const MemoryNeed& need) {
  double sum = 0;
  for (const MemoryPart& part : need) sum += part.bytes;
  return sum;
}

std::string describe(const MemoryNeed& need) {
  std::string text;
  for (const MemoryPart& part : need)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.what, autograd::format_bytes(part.bytes));
  return text;
}

double taken_bytes() {
  double addresses = 0, resident = 0;  // pages
  std::ifstream("/proc/self/statm") >> addresses >> resident;
  return (autograd::memory_limit().addresses ? addresses : resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice) {
  const autograd::MemoryLimit& limit = autograd::memory_limit();
  const auto most = static_cast<double>(limit.bytes);
  if (total(need) <= most) return;
  throw std::runtime_error(fmt::format("not enough memory: {} needs some {}, and {} has {}: {}; {}", who,
                                       autograd::format_bytes(total(need)), limit.of, autograd::format_bytes(most),
                                       describe(need), advice));
}

}  // namespace apps
