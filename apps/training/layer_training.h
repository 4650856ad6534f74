// This file carries out `train --align`. It trains the alignment layer of a run before its model, and saves it in the
// run folder. After the training of the model, it chooses how the programs combine the layer with the model's
// attention.
#pragma once

#include <string>

#include "apps/run/run_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/train_options.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// Trains an alignment layer (models/alignment) on word links, and writes it as RUN/alignment.safetensors. If `data` has
// no links, it first learns links from the training pairs by EM, and stores them in data.learnt. It reports its
// progress. The layer does not change the training of the model. Returns false, and writes nothing, if a signal arrives
// (interrupts.h). Throws data::Error if no pair has a link.
bool train_alignment_layer(const TrainOptions& options, TrainingData& data, const RunFolder& folder);

// Chooses the share of the alignment layer in the combined weights of the run (models/alignment/combined_weights.h)
// from some of the training pairs, saves it with the layer, and prints it. Call it after the training of the model, in
// one process, because it needs the attention of the best epoch. Afterwards the model has the parameters of this epoch.
// Does nothing if the model has no attention. Throws data::Error if a file of the run is damaged.
void choose_layer_share(const LoadedRun& run, const std::vector<data::Pair>& pairs, const RunFolder& folder);

// Returns the line that `train --dry-run` prints about the training of the alignment layer.
std::string describe_layer_training(const TrainOptions& options, const TrainingData& data);

}  // namespace softalign::apps
