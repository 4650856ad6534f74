// The model card is the file README.md in a run folder. It tells people what the model does, and gives its data, its
// scores and the command that trains it. It begins with metadata in YAML, which the Hugging Face Hub reads.
#pragma once

#include <cstddef>
#include <string>

#include "apps/run/run_files.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

// Returns the model card of a run that has finished an epoch. `parameters` is the number of parameters of the model.
// The scores are those of the best epoch. The text does not depend on the name of the run folder. Throws data::Error if
// a file of the run is missing or damaged.
std::string model_card(const RunFolder& folder, const TrainOptions& options, std::size_t parameters);

// Writes the model card, unless the folder has a README.md that is not a model card (is_model_card).
void write_model_card(const RunFolder& folder, const TrainOptions& options, std::size_t parameters);

// Returns true if write_model_card wrote the file, and nobody has removed its second line, which says so.
bool is_model_card(const std::string& path);

}  // namespace softalign::apps
