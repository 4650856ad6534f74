// These functions compare the alignments of two models on the same sentence pairs, and say how much the difference
// depends on the choice of the pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "data/metrics/aer.h"

namespace softalign::apps {

// SeedScores has the counts of several trainings of one model, one training per seed. Entry [k][i] belongs to training
// k and sentence pair i.
using SeedScores = std::vector<std::vector<data::AlignmentScore>>;

// Returns the mean AER of the trainings, in percent.
double mean_aer(const SeedScores& scores);

// Returns the scores of some of the pairs.
SeedScores of_pairs(const SeedScores& scores, const std::vector<std::size_t>& pairs);

// Difference has the difference of two mean AERs in points, and its 95% interval. The interval comes from the paired
// bootstrap: the difference is computed again for random samples of the pairs, which contain some pairs several times.
struct Difference {
  double points = 0, low = 0, high = 0;
};
// Returns the AER of `first` minus the AER of `second`. Both must have scores of the same pairs.
Difference difference(const SeedScores& first, const SeedScores& second);

}  // namespace softalign::apps
