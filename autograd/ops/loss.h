// This op computes the cross-entropy of predictions and right words. docs/notation.md explains the notation.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

struct CrossEntropyOptions {
  double smoothing = 0;  // eps, the strength of label smoothing, in [0, 1)
  Id ignore = 0;         // rows with this target, usually padding, have the loss 0
};

// Returns the loss y of each of N rows of logits (.., V) for V words, in nats, which are units of the natural
// logarithm. targets (N) has the right word of each row, and p is softmax(logits). The second formula is the gradient,
// where onehot(target) is 1 for the right word and 0 for the others.
//   y = -(1 - eps) log p(target) - eps / V sum_v log p(v)
//   dlogits = dy (p - (1 - eps) onehot(target) - eps / V)
// eps is the strength of label smoothing, which moves probability from the right word to all words. The formula is that
// of Szegedy et al. 2016, section 7, with the uniform prior, and of PyTorch's `label_smoothing`. Throws
// std::invalid_argument for a target outside 0 .. V-1, or for a wrong number of targets.
Var cross_entropy(const Var& logits, const Ids& targets, const CrossEntropyOptions& options = {});

}  // namespace softalign::autograd
