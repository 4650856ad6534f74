#include "apps/training/dry_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/terminal/progress.h"
#include "autograd/storage/memory_limit.h"

namespace apps {

std::string describe_training(const Run& run, const MemoryNeed& need) {
  using autograd::format_bytes;
  std::string text;
  std::size_t widest = 0;
  for (const autograd::Parameter& p : run.params.all()) widest = std::max(widest, p.name.size());
  for (const autograd::Parameter& p : run.params.all()) {
    text += fmt::format("{:<{}}  {:>14}  {:>12}\n", p.name, widest, to_string(p.var.shape()),
                        format_count(p.var.value().size()));
  }
  const autograd::MemoryLimit& limit = autograd::memory_limit();
  return text + fmt::format("parameters: {}, {}\nmemory of training: some {} of the {} that {} has: {}\n",
                            format_count(run.params.count()),
                            format_bytes(static_cast<double>(run.params.count()) * sizeof(autograd::Real)),
                            format_bytes(total(need)), format_bytes(static_cast<double>(limit.bytes)), limit.of,
                            describe(need));
}

}  // namespace apps
