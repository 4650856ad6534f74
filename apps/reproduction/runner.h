// This file trains the experiments of a study, one after the other. It runs the programs that a user would call, and
// reads their results.
#pragma once

#include <functional>
#include <string>

#include "apps/reproduction/jobs.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// Returns the name of the file that stores the output of `evaluate`.
std::string evaluation_file(const std::string& run);

// Returns the outcome of a finished run. Throws data::Error with the name of a file that is missing or damaged.
RunOutcome read_outcome(const std::string& run);

// The functions below handle an experiment that was run before with other commands, for example with another number of
// epochs. FOLDER is the folder of its run. The old run moves to FOLDER.replaced until the new run is trained and
// evaluated. If the user requests the old commands again before that, the old run moves back.

// Returns the commands that made the run in FOLDER, from the file FOLDER.commands. Returns "" if there is no such file.
std::string commands_of_run(const std::string& folder);

// Call this function before a job runs. If an earlier program was killed while it replaced a run, the function finishes
// or undoes the replacement. `wanted` has the commands of the job. If the run in FOLDER.replaced has these commands and
// the run in FOLDER is not complete, the old run moves back to FOLDER. If the run in FOLDER is complete, the old run is
// removed.
void recover_set_aside(const std::string& folder, const std::string& wanted);

// Moves the run in FOLDER to FOLDER.replaced. If FOLDER.replaced already contains a run, this run stays there, and the
// incomplete run in FOLDER is removed. Throws data::Error if `reproduce` did not make the run.
void set_aside(const std::string& folder);

// Removes the old run in FOLDER.replaced, because the new run is complete.
void forget_set_aside(const std::string& folder);

// Interrupted is thrown if the user has stopped a command with Ctrl-C. If the user starts `reproduce` again in the same
// way, the work continues.
struct Interrupted {};

// Runs a command, and writes its output to `output_file`. Throws std::runtime_error if the command fails. The message
// has the command, its exit status, and the name of the file with its output. Throws Interrupted after Ctrl-C.
void run_or_throw(const Command& command, const std::string& output_file);

// Runs a job, or the rest of the job after an interruption. If an earlier call completed the job with the same
// commands, nothing runs. If the job was run with other commands before, the old results are kept until this job is
// complete. Throws like run_or_throw.
RunOutcome run_job(const Job& job);

// Runs all jobs. Before each job, it reports progress: "[3/24] rnnsearch-50 seed 1, about 0:12:30 left".
RunOutcomes run_study(const Study& study, const ReproduceOptions& options,
                      const std::function<void(const std::string&)>& report);

}  // namespace softalign::apps
