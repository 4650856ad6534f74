// The runner: trains the experiments of a study one after the other with the programs that a user would call, and reads
// what they measured.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "apps/reproduction/study.h"

namespace apps {

struct ReproduceOptions {
  std::string out;   // OUT/data/.. and OUT/runs/EXPERIMENT-seedK/..
  std::string data;  // a folder with train.tsv, valid.tsv, test.tsv; "": data/toy and its grammar
  std::size_t seeds = 1;
  std::size_t epochs = 0;   // 0: train's own
  std::size_t threads = 0;  // 0: the programs' own
};

std::string corpus_folder(const ReproduceOptions& options);
std::string test_file(const Study& study, const ReproduceOptions& options);  // what its models are tested on

// One command as it is run: program and arguments. The program stands beside this one.
using Command = std::vector<std::string>;
std::string as_typed(const Command& command);  // "train --model luong --out runs/x"

// Runs a command to its end, its standard output in a file; progress lines still reach the terminal. Returns its exit
// status, 128 + n if a signal n ended it. std::runtime_error if it cannot be started.
int run_command(const Command& command, const std::string& output_file);

// What is to be done for one experiment with one seed.
struct Job {
  std::string name, folder;
  std::string data;  // the corpus that it is trained on
  Command corpus;    // makes that; empty for one that exists
  Command train, evaluate;
};
std::vector<Job> jobs_of(const Study& study, const ReproduceOptions& options);

// The commands of all jobs, a line each, none twice.
std::string commands_text(const Study& study, const ReproduceOptions& options);

// Raised when a program was stopped by Ctrl-C; the same command goes on from there.
struct Interrupted {};

// Does a job, or what is left of it after an earlier interruption; a job that is done with the same commands is not
// done again. std::runtime_error with the end of the program's output if it fails.
Outcome run_job(const Job& job);

// All jobs, telling before each how far it is: text like "[3/24] rnnsearch-50 seed 1, about 0:12:30 left".
Outcomes run_study(const Study& study, const ReproduceOptions& options,
                   const std::function<void(const std::string&)>& tell);

}  // namespace apps
