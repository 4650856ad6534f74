// This file checks and records the options that change when a training is resumed (train --resume).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// Throws UsageError if the new config.json (`now`) has another value for an option on which the past steps of the
// training depend. The message names the first such option. The files of the corpora may have new names, because the
// training state stores a hash of their content.
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
// data::Error if they differ in an option that must stay the same. `path` is the file of the training state, for the
// message.
void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now);

// A file with the parameters of an epoch (--keep-epochs) contains a config.json. This function compares it (`saved`)
// with the config.json of the run folder. Throws data::Error if they differ in an option that must stay the same. It
// accepts a config.json that an earlier build wrote.
void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder);

}  // namespace softalign::apps
