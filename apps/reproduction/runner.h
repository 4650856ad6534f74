// The runner: trains the experiments of a study one after the other with the programs that a user would call, and reads
// what they measured.
#pragma once

#include <functional>
#include <string>

#include "apps/reproduction/jobs.h"

namespace softalign::apps {

// Raised when a program was stopped by Ctrl-C; the same command goes on from there.
struct Interrupted {};

// Does a job, or what is left of it after an earlier interruption; a job that is done with the same commands is not
// done again, one that was done with others waits until this one is (apps/reproduction/set_aside.h). std::runtime_error
// with the end of the program's output if it fails.
Outcome run_job(const Job& job);

// All jobs, telling before each how far it is: text like "[3/24] rnnsearch-50 seed 1, about 0:12:30 left".
Outcomes run_study(const Study& study, const ReproduceOptions& options,
                   const std::function<void(const std::string&)>& tell);

}  // namespace softalign::apps
