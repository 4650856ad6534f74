// These functions train an alignment layer. They need no gold links, because they use the links that another aligner
// found in the training pairs (data/alignment/em). The loss is the cross-entropy of both directions:
//
//   - sum_i sum_j g_ij ln alpha_ij - sum_j sum_i h_ij ln beta_ij
//
// alpha_ij is the weight of source word j for target word i, and beta_ij is the weight in the opposite direction. If
// target word i has n links, g_ij is 1/n for each linked source word j, and 0 for the others. A word without links
// counts as linked to </s>. h_ij is defined in the same way for each source word j. The layer also reads the positions
// l_(i-1) and r_(i+1) of the nearest linked words before and after y_i. In training, these positions come from the
// given links (pseudo-likelihood; Besag 1975). In half of the batches, two or three pairs are joined, so that the layer
// also learns from long texts.
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
  std::size_t least_count = 2;       // a word that occurs less often has no row in E
  std::size_t most_words = 30000;    // largest number of words per language in E
  std::size_t epochs = 6;            // more if there are few pairs
  std::size_t least_batches = 1000;  // smallest number of batches in all epochs, but at most 32 epochs
  std::size_t batch = 128;           // pairs
  double learning_rate = 3e-3;       // falls linearly to 0
  double dropout = 0.2;              // dropout of word vectors e(w), of convolutions, and of whole words E[w]
  double clip = 1;                   // largest norm of the gradient
  std::uint64_t seed = 1;
};

// Returns the number of epochs for a corpus of `pairs` pairs. A small corpus gets more epochs, so that the training has
// at least `least_batches` batches, but at most 32 epochs.
std::size_t epochs_of(const AlignmentTrainingOptions& options, std::size_t pairs);

struct AlignmentProgress {
  std::size_t epoch = 0, epochs = 0;  // from 1
  std::size_t done = 0, pairs = 0;    // pairs of all epochs
  std::size_t words = 0;              // target words read so far
  double loss = 0;                    // nats per target word, mean of the epoch so far
};

// Returns the sum of the losses of both directions as a scalar. links[b] are the links of pair b. `random` is for
// dropout.
Var alignment_loss(const AlignmentLayer& layer, const std::vector<const data::Pair*>& pairs,
                   const std::vector<const data::Links*>& links, double dropout = 0, Random* random = nullptr);

// Trains a layer on the pairs. links[b] are the links of pair b, and pairs without a link are left out. The same pairs,
// links and options give the same layer, byte for byte, for any number of threads. If `stop` returns true after a
// batch, the training ends early, and the layer is not complete. Throws std::invalid_argument if no pair has a link,
// and Diverged (models/training/step.h) if the loss, the gradient or a parameter is not finite.
AlignmentLayer train_alignment_layer(const std::vector<data::Pair>& pairs, const std::vector<data::Links>& links,
                                     const AlignmentTrainingOptions& options,
                                     const std::function<void(const AlignmentProgress&)>& progress = {},
                                     const std::function<bool()>& stop = {});

}  // namespace softalign::models
