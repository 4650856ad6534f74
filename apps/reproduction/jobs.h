// The commands that a study needs, and a command run as a child of this program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// One command: program and arguments. The program is in the folder of the running program.
using Command = std::vector<std::string>;
std::string as_typed(const Command& command);  // "train --model luong --out runs/x"

// Runs a command to its end, and writes its standard output to a file. Progress lines still reach the terminal. Returns
// its exit status, 128 + n if a signal n ended it. data::Error if it cannot be started.
int run_command(const Command& command, const std::string& output_file);

struct ReproduceOptions {
  std::string out;   // OUT/data/.. and OUT/runs/EXPERIMENT-seedK/..
  std::string data;  // a folder with train.tsv, valid.tsv, test.tsv; "": data/toy and its grammar
  std::size_t seeds = 1;
  std::size_t epochs = 0;   // 0: train's own
  std::size_t threads = 0;  // 0: the programs' own
};

std::string corpus_folder(const ReproduceOptions& options);
std::string test_file(const Study& study, const ReproduceOptions& options);  // what its models are tested on

// The commands of one experiment with one seed.
struct Job {
  std::string name, folder;
  std::string data;  // the corpus that it is trained on
  Command corpus;    // makes that; empty for one that exists
  Command train, evaluate;
};
std::vector<Job> jobs_of(const Study& study, const ReproduceOptions& options);

// The commands of all jobs, a line each, none twice.
std::string commands_text(const Study& study, const ReproduceOptions& options);

}  // namespace softalign::apps
