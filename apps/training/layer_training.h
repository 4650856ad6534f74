// train --align: the alignment layer of a run, trained before its model and saved in its folder.
#pragma once

#include <string>

#include "apps/run/run_files.h"
#include "apps/run/train_options.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// Learns word links from the training pairs, unless `data` has them already, and keeps them there; trains an alignment
// layer on them (models/alignment) and writes it as RUN/alignment.safetensors; shows what it does. Nothing else depends
// on it. Returns false, and writes nothing, if a signal arrives (interrupts.h). data::Error if no pair has a link.
bool train_alignment_layer(const TrainOptions& options, TrainingData& data, const RunFolder& folder);

// Returns the line of --dry-run about this training of the layer.
std::string describe_layer_training(const TrainOptions& options, const TrainingData& data);

}  // namespace softalign::apps
