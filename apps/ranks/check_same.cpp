#include "apps/ranks/check_same.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "autograd/random.h"

namespace softalign::apps {

void check_same(const Ranks& ranks, const std::vector<std::pair<std::string, std::uint64_t>>& values) {
  for (const auto& [what, mine] : values) {
    const std::vector<std::uint64_t> theirs = ranks.all(mine);
    const auto other = std::find_if(theirs.begin(), theirs.end(), [&](auto its) { return its != theirs[0]; });
    if (other != theirs.end())
      throw std::runtime_error(
          fmt::format("rank {} has other {} than rank 0: all need the same files and options, and "
                      "processors of one kind",
                      other - theirs.begin(), what));
  }
}

std::uint64_t hash(const autograd::Params& params) {
  autograd::Fnv1a h;
  for (const autograd::Parameter& p : params.all())
    h.add(std::string_view(reinterpret_cast<const char*>(p.var.value().data()), p.var.value().size() * sizeof(Real)));
  return h.value;
}

}  // namespace softalign::apps
