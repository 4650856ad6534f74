// The corpora of a training, and checks that they and the model have what the options require.
#pragma once

#include <functional>
#include <vector>

#include "apps/run/run_folder.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct TrainingData {
  data::Corpus train, valid;
  std::vector<data::Links> learnt = {};  // with --align: the links of each training pair, once they are learnt
};

// Reads the corpora that the options name. Every problem with the user's files is reported here, before anything is
// written. With --align and --guided-alignment, the training pairs have links that EM learned from them instead of
// gold.
// `learnt` has these links if they are known already.
TrainingData read_training_data(const TrainOptions& options, std::vector<data::Links> learnt = {});

// The links that EM learns from the pairs (data/alignment/em/learnt_links.h), with a report of it. Nothing if `stop`
// returns true after an iteration.
std::vector<data::Links> links_by_em(const std::vector<data::Pair>& pairs, const std::function<bool()>& stop = {});

data::BatchOptions batch_options(const TrainOptions& options);

// data::Error, with a remedy: guided alignment without a sure link, AER without gold, or supervised attention in a
// model without attention.
void check_feasible(const Run& run, const TrainingData& data);

}  // namespace softalign::apps
