// A program that may run as several processes.
#pragma once

#include <functional>

#include "apps/ranks/communicator.h"
#include "apps/scatter_gather/scatter_gather.h"

namespace softalign::apps {

// Calls body(ranks) and returns the exit status of the program. body prints its own errors (CommandLine::run).
// Processes of one mpirun divide the cores of the machine, and all but the first are silent (apps/terminal/output.h).
// An error in one process ends all. Processes with different command lines are refused at the start, with status 2.
int with_ranks(int argc, char** argv, const std::function<int(const Communicator&)>& body);

// The help text of programs that decode with several processes.
inline constexpr const char* note_of_ranks =
    "You can start this program with mpirun -n R. Then R processes divide the work, and the output is the same as the "
    "output of one process with the same --threads.";

// For programs that decode. The ranks must outlive it.
ProcessGroup process_group_of(const Communicator& ranks);

}  // namespace softalign::apps
