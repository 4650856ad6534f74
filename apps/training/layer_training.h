// This file carries out `train --align`. It trains the alignment layer of a run before its model, and saves it in the
// run folder.
#pragma once

#include "apps/run/run_files.h"
#include "apps/run/train_options.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// Trains an alignment layer (models/alignment) on word links, and writes it as RUN/alignment.safetensors. If `data` has
// no links, it first learns links from the training pairs and keeps them in `data`. It reports its progress. The
// training of the model does not depend on it. Throws data::Error if no pair has a link.
void train_alignment_layer(const TrainOptions& options, TrainingData& data, const RunFolder& folder);

}  // namespace softalign::apps
