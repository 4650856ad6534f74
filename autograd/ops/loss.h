// This op computes the cross-entropy of predicted distributions and known words. docs/notation.md explains the letters.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

struct CrossEntropyOptions {
  double smoothing = 0;  // eps, in [0, 1)
  Id ignore = 0;         // rows with this target cost nothing: padding
};

// Computes one loss in nats for each of the N rows of the logits. p = softmax(logits), and V is the number of words:
//   y = -(1 - eps) log p(target) - eps / V sum_v log p(v)
// Label smoothing follows Szegedy et al. 2016, section 7, with the uniform prior, and PyTorch's `label_smoothing`.
//   dlogits = dy (p - (1 - eps) onehot(target) - eps / V)
// logits (.., V), targets (N)  ->  (N). Throws std::invalid_argument for a target outside 0 .. V-1, or for a wrong
// number of targets.
Var cross_entropy(const Var& logits, const Ids& targets, const CrossEntropyOptions& options = {});

}  // namespace softalign::autograd
