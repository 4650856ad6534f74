// The runner trains the experiments of a study one after the other, with the programs that a user would call, and reads
// their results.
#pragma once

#include <functional>
#include <string>

#include "apps/reproduction/jobs.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// The file in which the runner stores the output of `evaluate`.
std::string evaluation_file(const std::string& run);

// The outcome of a finished run. data::Error naming a file that is missing or damaged.
Outcome read_outcome(const std::string& run);

// If an experiment was run with other commands, its run moves to FOLDER.replaced until the new one is trained and
// evaluated. It comes back if its own commands are requested again before that.

// The commands that made FOLDER, from FOLDER.commands; "" if that does not exist.
std::string commands_of_run(const std::string& folder);

// Completes or undoes the work of a killed program. Afterwards, a run in FOLDER.replaced has other commands than
// `wanted`, and FOLDER is incomplete.
void recover_set_aside(const std::string& folder, const std::string& wanted);

// Moves the run in FOLDER to FOLDER.replaced. If there are two, it keeps the complete one. data::Error if `reproduce`
// did not make it.
void set_aside(const std::string& folder);

// The new run is complete, so the old one is removed.
void forget_set_aside(const std::string& folder);

// Thrown when a program was stopped by Ctrl-C. The same command continues from there.
struct Interrupted {};

// Runs a job, or the rest of it after an interruption. A job that is complete with the same commands does not run
// again. The results of other commands are kept until this job is complete. data::Error, with the end of the program's
// output, if it fails.
Outcome run_job(const Job& job);

// Runs all jobs, and reports progress before each: "[3/24] rnnsearch-50 seed 1, about 0:12:30 left".
Outcomes run_study(const Study& study, const ReproduceOptions& options,
                   const std::function<void(const std::string&)>& report);

}  // namespace softalign::apps
