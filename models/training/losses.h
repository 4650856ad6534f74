// These losses supervise the attention, in addition to the cross-entropy of the words. They are computed outside of the
// models, from the results of teacher forcing. Therefore they work with every model that has attention.
//
// alpha_t (B, S) has the attention weights of step t, at which the decoder wrote word y_t, for B sentences and S source
// positions. Row t*B + b of `matrix` (T*B, S) has the weights of sentence b.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "models/seq2seq.h"
#include "models/training/hard_attention.h"

namespace softalign::models {

// The struct Objective has the weights of the losses in the complete loss L of a batch with N target words:
//
//   L = 1/N (sum over words (-log p(y_t) + guided_alignment G_t + coverage C_t) + doubly_stochastic D)
//
// G_t, C_t and D are the losses guided_alignment_loss, coverage_loss and doubly_stochastic_loss in this file.
struct Objective {
  double label_smoothing = 0;        // label smoothing of -log p (autograd/ops/loss.h)
  double guided_alignment = 0;       // weight; 0: off
  double coverage = 0;               // weight; 0: off
  double doubly_stochastic = 0;      // weight; 0: off
  double teacher_forcing_ratio = 1;  // probability of reading the right word (models/training/teacher_forcing.h)
  double time_noise = 0;             // memory networks: share of empty sentences (models/stories/memory_network.h)
  bool linear_start = false;         // memory networks: attention without the softmax
  double word_dropout = 0;           // probability of reading <unk> instead (models/training/teacher_forcing.h)
  std::optional<HardAttention> hard_attention = {};  // attends to sampled positions; REINFORCE is added to L
};

// An AttentionLoss is a loss that supervises the attention.
struct AttentionLoss {
  const char* name;    // "coverage"
  const char* option;  // option of train: "coverage-loss"
  double Objective::*weight;
  Var (*of)(const Var& matrix, const Batch& batch);
};
// Returns the three losses that supervise the attention: guided alignment, coverage and doubly stochastic attention.
const std::array<AttentionLoss, 3>& attention_losses();

// SummedLosses has each loss as a sum over target words, in nats and before weighting. A loss that is not used stays 0.
struct SummedLosses {
  double words = 0;
  std::array<double, 3> attention{};  // in the order of attention_losses
  double reinforcement = 0;
  Rewards rewards = {};
  double total() const;
  SummedLosses& operator+=(const SummedLosses& other);
};

// Guided alignment is the cross-entropy of the attention weights against gold links:
//
//   sum_t G_t,  G_t = -sum_j g_tj log alpha_tj
//
// alpha_tj is the attention weight of source position j at step t. g_tj is 1/n if word y_t has n sure links and one of
// them goes to position j, and 0 otherwise. Words without a sure link, such as </s>, add no loss. The loss is from
// Mi, Wang & Ittycheriah 2016, "Supervised attentions for neural machine translation", and Chen et al. 2016, "Guided
// alignment training for topic-aware neural machine translation".
//
// If there are several heads, the loss supervises their mean. A weight below 1e-8 counts as 1e-8 and gets no gradient,
// because log 0 is infinite. Such weights occur outside of the window of local attention. Throws std::invalid_argument
// if the model has no attention, or if a link lies outside of the batch.
Var guided_alignment_loss(const Var& matrix, const Batch& batch);

// The coverage loss penalises repeated attention to the same position: See, Liu & Manning 2017, "Get to the point",
// eq. 10 and 12.
//
//   sum_t C_t,  C_t = sum_j min(alpha_tj, cov_tj)     cov_t = sum_{u < t} alpha_u
//
// alpha_tj is the attention weight of source position j at step t, and cov_tj is the sum of its weights at earlier
// steps. Throws std::invalid_argument if the model has no attention.
Var coverage_loss(const Var& matrix, const Batch& batch);

// The doubly stochastic loss is 0 if every source position gets a total attention of tau: Xu et al. 2015, eq. 14, where
// tau is 1.
//
//   D = sum over the sentences of sum_j (tau - sum_t alpha_tj)^2
//
// alpha_tj is the attention weight of source position j at step t, for S source positions and T steps. Except with
// local-p windows, the weights of each step sum to 1. The weights of all positions then add up to T, so the loss with
// tau = 1 can be 0 only if S = T. The choice of tau then does not change the gradient, because the sum over all
// positions is constant. Throws std::invalid_argument if the model has no attention.
Var doubly_stochastic_loss(const Var& matrix, const Batch& batch, double tau = 1);

}  // namespace softalign::models
