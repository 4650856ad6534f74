// This file checks and records the options that change when a training is resumed (train --resume).
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

// The struct Resumed describes the options that the user changes when a training is resumed. resumed() compares the new
// config.json (`now`) with the config.json in the run folder.
struct Resumed {
  // `config` is the text of the new config.json. Its entry "resumed" lists the changes of options at this and at
  // earlier resumptions. Each entry of the list has the epoch of the change and the number of steps before it.
  std::string config;
  std::vector<std::string> changes;  // one text per changed option: "--epochs was 4 and is 6"
};
Resumed resumed(const RunFolder& folder, const std::string& now, std::size_t epoch, std::size_t steps);

// Compares `saved`, the config.json in a training state, with `now`, the config.json of the resumed training. Throws
// data::Error if they differ in an option that must stay the same. `path` names the state in the message.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

// Compares `saved`, the config.json in the parameters of an epoch, with the current config.json of the run. Throws
// data::Error if they differ in an option that must stay the same. An earlier build may have written the config.json of
// the run.
void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder);

}  // namespace softalign::apps
