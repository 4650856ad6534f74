// A program that may run as several processes.
#pragma once

#include <functional>

#include "apps/ranks/ranks.h"

namespace apps {

// The program's exit status, from body(ranks), in this process. Those that mpirun started together have their share of
// the machine's cores, and all but the first are silent (apps/terminal/tell.h). An error in one ends all.
int with_ranks(const std::function<int(const Ranks&)>& body);

}  // namespace apps
