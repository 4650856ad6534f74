// Which commands a study needs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/reproduction/command.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

struct ReproduceOptions {
  std::string out;   // OUT/data/.. and OUT/runs/EXPERIMENT-seedK/..
  std::string data;  // a folder with train.tsv, valid.tsv, test.tsv; "": data/toy and its grammar
  std::size_t seeds = 1;
  std::size_t epochs = 0;   // 0: train's own
  std::size_t threads = 0;  // 0: the programs' own
};

std::string corpus_folder(const ReproduceOptions& options);
std::string test_file(const Study& study, const ReproduceOptions& options);  // what its models are tested on

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

}  // namespace softalign::apps
