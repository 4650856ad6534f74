// --run, several times: runs that decode as one, an ensemble.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/run/run_folder.h"

namespace softalign::apps {

// The option --run RUN, to give at least once.
models::Table runs_table(std::vector<std::string>& paths);

// The run; of several, one whose model is their ensemble (models/search/ensemble.h), with the options of the first and
// the smallest of their length limits. std::runtime_error as of load_run, or naming two runs that do not have the same
// vocabularies and tokeniser.
Run load_runs(const std::vector<std::string>& paths);

// What a record's "mode" says of the run: "ensemble" of several, since probabilities and attention are means then, else
// what it was told.
std::string record_mode(const Run& run, const std::string& mode);

}  // namespace softalign::apps
