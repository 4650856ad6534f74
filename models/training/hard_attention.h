// With hard attention, the context is the vector of one sampled source position, and not a weighted sum over all
// positions (layers/attention/hard_attention.h). Sampling has no derivative. Therefore training uses REINFORCE
// (Williams 1992), which makes a sampled position more probable if the words after it were more probable than usual.
// The gradient is from Xu et al. 2015, section 4.1:
//
//   dL = -d log p(y | s) - lambda_r (R - b) d log p(s) - lambda_e dH(alpha)                         eq. 11-12
//
// d means the derivative. L is the loss of the words y, and s are the sampled positions. R is the reward, and the
// baseline b is the usual reward. H is the entropy of the attention weights alpha. lambda_r and lambda_e weight the
// terms.
//
// In the paper, R is log p(y | s) of the complete caption. Here, R_t only covers the words from step t on, because the
// position s_t affects only these words. There is one baseline per step, b_t <- .9 b_t + .1 R_t. The expected gradient
// is the same as in the paper, but it has less noise.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/hard_attention.h"
#include "models/decoder.h"

namespace softalign::models {

// HardAttention has the settings of hard attention for one training step.
struct HardAttention {
  double fraction = 0.5;              // fraction of the steps that sample; the others use the mean: 1/2 in section 4.1
  Array baseline;                     // (T') b_t of each step; 0 for later steps
  double reward = 1, entropy = 0.01;  // lambda_r, lambda_e
};

// Rewards has sums over the captions of a batch, per step t: the sum of the rewards R_t, and the number of captions
// that have a step t.
struct Rewards {
  std::vector<double> sums, captions;  // (T)
  Rewards& operator+=(const Rewards& other);
};

// Returns the fraction of decoding steps that sample a position. `done` says which fraction (0 to 1) of the training is
// over. Attention is soft for the first third, because rewards are not informative before the model knows some words.
double sampled_fraction(double done);

// Returns a function that decides for each row of the batch. With probability `fraction`, the row uses a sampled
// position. Otherwise it uses the weighted mean of all positions.
layers::Draw sample_positions(Random& random, double fraction);

// Runs teacher forcing with hard attention. The fraction `hard.fraction` of the steps uses a sampled position. The
// sampling has its own random stream. `sampled` receives the attention of every step.
TeacherForced teacher_forced_with_hard_attention(const Decoder& decoder, const Memory& memory, const Targets& targets,
                                                 const Training& training, const HardAttention& hard,
                                                 std::vector<layers::SampledAttention>& sampled);

// Returns the loss of REINFORCE as one number. A training adds it to the `losses` (T*B) of the words, for T steps of B
// captions. It is the negative sum of lambda_r (R_t - b_t) log alpha_t(s_t) + lambda_e H(alpha_t) over all steps that
// sampled a position. s_t is the sampled position, R_t the reward, b_t the baseline, and H(alpha_t) the entropy of the
// attention weights.
Var reinforcement(const Var& losses, const Ids& words, const std::vector<layers::SampledAttention>& sampled,
                  const HardAttention& hard, Rewards& rewards);

// Updates the baseline of each step t: b_t <- .9 b_t + .1 R_t, where R_t is the mean reward.
void follow(Array& baseline, const Rewards& rewards);

}  // namespace softalign::models
