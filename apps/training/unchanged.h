// What --resume may be given anew.
#pragma once

#include <string>

#include "apps/run/run_folder.h"

namespace apps {

// A resumed training is the same training; only what does not change its steps so far may be given anew. Corpora may
// have moved: the training state knows their contents. `now` is the config.json it would have; UsageError names the
// first option that differs from the folder's.
void check_unchanged(const RunFolder& folder, const std::string& now);

}  // namespace apps
