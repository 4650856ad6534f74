// This file runs a program in one process, or in several processes that MPI has started.
#pragma once

#include <functional>

#include "apps/ranks/communicator.h"
#include "apps/scatter_gather/scatter_gather.h"

namespace softalign::apps {

// Calls body(ranks) and returns the exit status of the program. `body` prints its own errors (CommandLine::run). The
// processes of one mpirun divide the cores of the machine. All processes except the first are silent
// (apps/terminal/output.h). An error in one process ends all processes. If a machine no longer answers, the processes
// on the other machines end too (heartbeat.h). If the processes have different command lines, the program ends at the
// start with status 2.
int with_ranks(int argc, char** argv, const std::function<int(const Communicator&)>& body);

// This text is a part of the --help of programs that can divide their sentences among several processes, for example
// `translate`.
inline constexpr const char* note_of_ranks =
    "You can start this program with mpirun -n R. Then R processes divide the work, and the output is the same as the "
    "output of one process with the same --threads.";

// Returns the ProcessGroup of these processes (apps/scatter_gather/scatter_gather.h), with which a program divides its
// sentences among them. `ranks` must outlive the result.
ProcessGroup process_group_of(const Communicator& ranks);

}  // namespace softalign::apps
