// The options that may change with --resume.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// A resumed training is the same training, so only options that would not have changed its past steps may change.
// Corpora may move, because the training state stores a hash of their content. `now` is the new config.json. UsageError
// names the first option that differs from the folder's.
void check_unchanged(const RunFolder& folder, const std::string& now);

// The options that a resumed training changes, from the folder's config.json to `now`.
struct Resumed {
  std::string config;  // `now`, and under "resumed" every change of this call and of earlier ones, each with the epoch
                       // under way and the steps made before it
  std::vector<std::string> changes;  // of this call: "--epochs was 4 and is 6"
};
Resumed resumed(const RunFolder& folder, const std::string& now, std::size_t epoch, std::size_t steps);

// Compares the config.json of a training state with the one of the resumed training; data::Error if they differ.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

// The same for the current config.json of the run, which an earlier build may have written.
void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder);

}  // namespace softalign::apps
