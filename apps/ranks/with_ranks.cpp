#include "apps/ranks/with_ranks.h"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "apps/terminal/tell.h"
#include "autograd/linalg/blas.h"

namespace apps {

int with_ranks(const std::function<int(const Ranks&)>& body) {
  std::optional<const Ranks> ranks;
  try {
    ranks.emplace(Ranks::started_together());
  } catch (const std::exception& error) {
    tell_error(error.what());
    return 1;
  }
  if (ranks->alone()) return body(*ranks);
  if (!ranks->first()) be_silent(fmt::format("rank {} of {}", ranks->rank(), ranks->count()));
  autograd::set_threads(ranks->threads_each());
  const int status = body(*ranks);
  constexpr int interrupted = 130;  // all together
  if (status != 0 && status != interrupted) ranks->end_all(status);
  return status;
}

Sharing sharing_of(const Ranks& ranks) {
  return {ranks.rank(), ranks.count(), [&ranks](const std::string& mine) { return ranks.all(mine); }};
}

}  // namespace apps
