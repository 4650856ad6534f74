#include "apps/ranks/with_ranks.h"

#include <fmt/format.h>

#include <exception>

#include "apps/terminal/tell.h"
#include "autograd/linalg/blas.h"

namespace apps {

int with_ranks(const std::function<int(const Ranks&)>& body) {
  try {
    const Ranks ranks = Ranks::started_together();
    if (ranks.alone()) return body(ranks);
    if (!ranks.first()) be_silent(fmt::format("rank {} of {}", ranks.rank(), ranks.count()));
    autograd::set_threads(ranks.threads_each());
    const int status = body(ranks);
    constexpr int interrupted = 130;  // all together
    if (status != 0 && status != interrupted) ranks.end_all(status);
    return status;
  } catch (const std::exception& error) {  // of starting; all else body() has said
    tell_error(error.what());
    return 1;
  }
}

}  // namespace apps
