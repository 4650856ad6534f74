// This file makes the commands that a study needs, and runs a command as a child process of this program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// A Command is a program and its arguments. The program is in the same folder as the running program.
using Command = std::vector<std::string>;
std::string as_typed(const Command& command);  // "train --model luong --out runs/x"

// Runs a command to its end, and writes its standard output to a file. Progress lines still reach the terminal. Returns
// the exit status of the command, or 128 + n if signal n ended it. Throws data::Error if the command cannot be started.
int run_command(const Command& command, const std::string& output_file);

struct ReproduceOptions {
  std::string out;                     // OUT/data/.. and OUT/runs/EXPERIMENT-seedK/..
  std::string data;                    // a folder with train.tsv, valid.tsv, test.tsv; "": data/toy and its grammar
  std::vector<std::string> gold = {};  // files of sentence pairs with gold links
  std::size_t seeds = 1;
  std::size_t epochs = 0;   // 0: the default of train
  std::size_t threads = 0;  // 0: the defaults of the programs
};

std::string corpus_folder(const ReproduceOptions& options);
std::string test_file(const Study& study, const ReproduceOptions& options);  // the test set of the study's models

// A Job has the commands of one experiment with one seed.
struct Job {
  std::string name, folder;
  std::string data;  // the corpus of the training
  Command corpus;    // makes the corpus; empty if the corpus exists already
  Command train, evaluate;
};
std::vector<Job> jobs_of(const Study& study, const ReproduceOptions& options);

// Returns the commands of all jobs, one per line, as they are typed in the project folder. No command occurs twice.
std::string commands_text(const Study& study, const ReproduceOptions& options);

}  // namespace softalign::apps
