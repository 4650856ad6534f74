// Training of an alignment layer on links that another aligner found in the training pairs (data/alignment/em): no gold
// is needed. The loss is the cross-entropy of both directions,
//
//   - sum_i sum_j g_ij ln alpha_ij - sum_j sum_i h_ij ln beta_ij
//
// where g_i is uniform over the source words that are linked to y_i, or all on </s> if there are none, and h_j likewise
// over the target words that are linked to x_j. The last position l_(i-1) is that of the given links. In half of the
// batches two or three pairs are joined to one, so that the layer sees long texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "data/corpus/corpus.h"
#include "models/alignment/alignment_layer.h"

namespace softalign::models {

struct AlignmentTrainingOptions {
  AlignmentLayerOptions layer;
  std::size_t least_count = 2;       // a word that occurs more rarely has no row in E
  std::size_t most_words = 30000;    // of a language, in E
  std::size_t epochs = 4;            // more where there are few pairs
  std::size_t least_batches = 1000;  // of all epochs, unless that takes more than 32 epochs
  std::size_t batch = 128;           // pairs
  double learning_rate = 3e-3;       // falls linearly to 0
  double dropout = 0.2;              // of e(w) and of the convolutions
  double clip = 1;                   // largest norm of the gradient
  std::uint64_t seed = 1;
};

// The epochs over so many pairs: small corpora are read more often, until there are enough batches.
std::size_t epochs_of(const AlignmentTrainingOptions& options, std::size_t pairs);

struct AlignmentProgress {
  std::size_t epoch = 0, epochs = 0;  // from 1
  std::size_t done = 0, pairs = 0;    // pairs of all epochs
  std::size_t words = 0;              // target words read so far
  double loss = 0;                    // nats per target word, mean of the epoch so far
};

// The sum of both directions' losses for the pairs and their links, one per pair; a scalar. `random` is for dropout.
Var alignment_loss(const AlignmentLayer& layer, const std::vector<const data::Pair*>& pairs,
                   const std::vector<const data::Links*>& links, double dropout = 0, Random* random = nullptr);

// A layer trained on the pairs with these links, one per pair. Pairs without a link are left out. The same pairs, links
// and options give the same bytes for any number of threads. std::invalid_argument if no pair has a link.
AlignmentLayer train_alignment_layer(const std::vector<data::Pair>& pairs, const std::vector<data::Links>& links,
                                     const AlignmentTrainingOptions& options,
                                     const std::function<void(const AlignmentProgress&)>& progress = {});

}  // namespace softalign::models
