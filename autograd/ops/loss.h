// Cross-entropy of predicted distributions against known words.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

struct CrossEntropyOptions {
  double smoothing = 0;  // eps, in [0, 1)
  Id ignore = 0;         // rows with this target cost nothing: padding
};

// With p = softmax(logits) and V words, in nats, for each of N rows of the logits:
//   y = -(1 - eps) log p(target) - eps / V sum_v log p(v)
// Label smoothing as Szegedy et al. 2016, section 7, with the uniform prior, and as PyTorch's `label_smoothing`.
//   dlogits = dy (p - (1 - eps) onehot(target) - eps / V)
// logits (.., V), targets (N)  ->  (N). std::invalid_argument for a target outside 0 .. V-1 or a wrong count.
Var cross_entropy(const Var& logits, const Ids& targets, const CrossEntropyOptions& options = {});

}  // namespace softalign::autograd
