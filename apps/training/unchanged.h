// What --resume may be given anew.
#pragma once

#include <string>

#include "apps/run/run_files.h"

namespace apps {

// A resumed training is the same training; only what does not change its steps so far may be given anew. Corpora may
// have moved: the training state knows their contents. `now` is the config.json it would have; UsageError names the
// first option that differs from the folder's.
void check_unchanged(const RunFolder& folder, const std::string& now);

// The config.json that a training state was saved with, beside the one it is gone on with: std::runtime_error.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

}  // namespace apps
