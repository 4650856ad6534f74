// A program that may run as several processes.
#pragma once

#include <functional>

#include "apps/ranks/ranks.h"
#include "apps/scatter_gather/scatter_gather.h"

namespace softalign::apps {

// The program's exit status, from body(ranks), in this process; body says its errors itself (CommandLine::run). Those
// that mpirun started together have their share of the machine's cores, and all but the first are silent
// (apps/terminal/output.h). An error in one ends all. Processes that were started with different command lines are
// refused before anything is done, with status 2.
int with_ranks(int argc, char** argv, const std::function<int(const Ranks&)>& body);

// What programs that decode say of it.
inline constexpr const char* note_of_ranks =
    "Started by mpirun -n R it is R processes that divide the work, with the output of one that has as many --threads.";

// Of what they decode. The ranks must outlive it.
ProcessGroup process_group_of(const Ranks& ranks);

}  // namespace softalign::apps
