// What --resume may be given anew.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// A resumed training is the same training; only what does not change its steps so far may be given anew. Corpora may
// have moved: the training state knows their contents. `now` is the config.json it would have; UsageError names the
// first option that differs from the folder's.
void check_unchanged(const RunFolder& folder, const std::string& now);

// The options that a resumed training changes, from the folder's config.json to `now`.
struct Resumed {
  std::string config;  // `now`, and under "resumed" every change of this call and of earlier ones, each with the epoch
                       // under way and the steps made before it
  std::vector<std::string> changes;  // of this call: "--epochs was 4 and is 6"
};
Resumed resumed(const RunFolder& folder, const std::string& now, std::size_t epoch, std::size_t steps);

// The config.json that a training state was saved with, beside the one it is gone on with: data::Error.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

// The same beside the config.json of the run as it stands, which an earlier build may have written.
void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder);

}  // namespace softalign::apps
