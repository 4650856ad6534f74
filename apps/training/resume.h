// The options that may change with --resume.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// Throws UsageError if the new config.json (`now`) changes an option that would have changed the past steps of the
// training. The message names the first such option. Corpora may move, because the training state stores a hash of
// their content.
void check_unchanged(const RunFolder& folder, const std::string& now);

// Resumed has the options whose values in `now` differ from those in the folder's config.json.
struct Resumed {
  // This text is `now`. Under "resumed", it has every change of this call and of earlier calls, with the epoch at that
  // time and the steps before it.
  std::string config;
  std::vector<std::string> changes;  // of this call: "--epochs was 4 and is 6"
};
Resumed resumed(const RunFolder& folder, const std::string& now, std::size_t epoch, std::size_t steps);

// Compares the config.json of a training state with that of the resumed training. Throws data::Error if they differ.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

// Compares it with the current config.json of the run, which an earlier build may have written.
void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder);

}  // namespace softalign::apps
