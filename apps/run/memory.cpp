#include "apps/run/memory.h"

#include <fmt/format.h>

#include <stdexcept>

namespace softalign::apps {

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

void check_memory(const std::string& who, const MemoryNeed& need, const std::string& advice) {
  const autograd::MemoryLimit& limit = autograd::memory_limit();
  const auto most = static_cast<double>(limit.bytes);
  if (total(need) <= most) return;
  throw std::runtime_error(fmt::format("not enough memory: {} needs some {}, and {} has {}: {}; {}", who,
                                       autograd::format_bytes(total(need)), limit.of, autograd::format_bytes(most),
                                       describe(need), advice));
}

}  // namespace softalign::apps
