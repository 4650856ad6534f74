// This file reads the corpora of a training. It checks whether the corpora and the model have what the options require.
#pragma once

#include <functional>
#include <vector>

#include "apps/run/run_folder.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct TrainingData {
  data::Corpus train, valid;
  std::vector<data::Links> learnt = {};  // with --align: the links that EM has learned for each training pair
};

// Reads the corpora that the options name. Every problem with the user's files is reported here, before anything is
// written. With both --align and --guided-alignment, EM learns links from the training pairs, and these links replace
// the gold links of the pairs. If the caller already has the links that EM learned, it passes them as `learnt`.
TrainingData read_training_data(const TrainOptions& options, std::vector<data::Links> learnt = {});

// Learns links between the words of the pairs by EM (data/alignment/em/learnt_links.h), and prints a report. If `stop`
// returns true after an iteration, the function returns an empty vector and prints nothing.
std::vector<data::Links> links_by_em(const std::vector<data::Pair>& pairs, const std::function<bool()>& stop = {});

data::BatchOptions batch_options(const TrainOptions& options);

// Throws data::Error, with a remedy, if the options need something that is missing. Guided alignment needs a sure link
// in the training pairs. --keep aer, which selects the best epoch by AER, needs gold links in the validation pairs.
// Supervised attention needs a model with attention.
void check_feasible(const LoadedRun& run, const TrainingData& data);

}  // namespace softalign::apps
