// The corpora of a training, and whether they and the model have what the options ask for.
#pragma once

#include "apps/run/run_folder.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct TrainingData {
  data::Corpus train, valid;
};

// The corpora that the options name. Every problem with the user's files shows here, before anything is written.
TrainingData read_training_data(const TrainOptions& options);

data::BatchOptions batch_options(const TrainOptions& options);

// std::runtime_error, saying what to try: guided alignment without a sure link to learn from, AER without gold to
// measure it, attention to be taught in a model that has none.
void check_feasible(const Run& run, const TrainingData& data);

}  // namespace softalign::apps
