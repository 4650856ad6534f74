// The parameters of single epochs that a training keeps beside its best (--keep-epochs), for averaging.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

std::string epoch_file(const RunFolder& folder, std::size_t epoch);  // RUN/epoch-K.safetensors

// The epochs whose parameters the folder holds, rising; none if there is no such folder.
std::vector<std::size_t> kept_epochs(const RunFolder& folder);

// Removes the parameters of all epochs up to `epoch`. std::runtime_error if one cannot be removed.
void forget_epochs(const RunFolder& folder, std::size_t epoch);

}  // namespace softalign::apps
