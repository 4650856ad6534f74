// These losses supervise the attention, in addition to the cross-entropy of words. They are computed outside the models
// from the result of teacher forcing, so every model with attention can be supervised.
//
// docs/notation.md explains the letters. alpha_t (B, S) are the weights with which the decoder wrote word y_t, row t*B
// + b of `matrix` (T*B, S).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "models/seq2seq.h"
#include "models/training/hard_attention.h"

namespace softalign::models {

// L = 1/N (sum over the N target words (-log p(y_t) + guided_alignment G_t + coverage C_t) + doubly_stochastic D). The
// functions below define G, C and D.
struct Objective {
  double label_smoothing = 0;        // of -log p (autograd/ops/loss.h)
  double guided_alignment = 0;       // weight; 0: off
  double coverage = 0;               // weight; 0: off
  double doubly_stochastic = 0;      // weight; 0: off
  double teacher_forcing_ratio = 1;  // probability of reading the true word (models/training/teacher_forcing.h)
  double time_noise = 0;             // memory networks: share of empty sentences (models/stories/memory_network.h)
  bool linear_start = false;         // memory networks: attention without the softmax
  double word_dropout = 0;           // probability of reading <unk> instead (models/training/teacher_forcing.h)
  std::optional<HardAttention> hard_attention = {};  // attends to sampled positions; REINFORCE is added to L
};

// An AttentionLoss is a loss that supervises the attention.
struct AttentionLoss {
  const char* name;    // "coverage"
  const char* option;  // of train: "coverage-loss"
  double Objective::*weight;
  Var (*of)(const Var& matrix, const Batch& batch);
};
// Returns G, C and D.
const std::array<AttentionLoss, 3>& attention_losses();

// LossSums has sums over target words, in nats and before weighting. A loss that is not used stays 0.
struct SummedLosses {
  double words = 0;
  std::array<double, 3> attention{};  // in the order of attention_losses
  double reinforcement = 0;
  Rewards rewards = {};
  double total() const;
  SummedLosses& operator+=(const SummedLosses& other);
};

// sum_t G_t,  G_t = -sum_j g_tj log alpha_tj        g_t uniform over the sure source words of y_t
// This is the cross-entropy of the attention against gold links: Mi, Wang & Ittycheriah 2016, "Supervised attentions
// for neural machine translation"; Chen et al. 2016, "Guided alignment training for topic-aware neural machine
// translation". Words without a sure link, such as </s>, add no loss. If there are several heads, the loss supervises
// their mean. A weight below 1e-8 counts as 1e-8 and gets no gradient. The model cannot attend to such positions
// (outside the window of local attention), and log 0 would end the training. Throws std::invalid_argument if the model
// has no attention, or if a link lies outside the batch.
Var guided_alignment_loss(const Var& matrix, const Batch& batch);

// sum_t C_t,  C_t = sum_j min(alpha_tj, cov_tj)     cov_t = sum_{u < t} alpha_u
// This loss penalises repeated attention: See, Liu & Manning 2017, "Get to the point", eq. 10 and 12.
// Throws std::invalid_argument if the model has no attention.
Var coverage_loss(const Var& matrix, const Batch& batch);

// D = sum over the sentences of sum_j (tau - sum_t alpha_tj)^2. The loss is 0 if every position gets a total attention
// of tau: Xu et al. 2015, eq. 14, where tau is 1. If there are many more positions than words, a total of 1 is
// impossible, and T / S would be even. This would not change the gradient, because all weights add up to T.
// Throws std::invalid_argument if the model has no attention.
Var doubly_stochastic_loss(const Var& matrix, const Batch& batch, double tau = 1);

}  // namespace softalign::models
