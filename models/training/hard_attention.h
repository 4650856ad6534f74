// Training of hard attention (layers/attention/hard_attention.h). Sampling a position has no derivative. REINFORCE
// (Williams 1992) makes a position more probable if the words after it were more probable than usual. Xu et al. 2015,
// section 4.1:
//
//   dL = -d log p(y | s) - lambda_r (R - b) d log p(s) - lambda_e dH(alpha)                         eq. 11-12
//
// In the paper, R is log p(y | s) of the complete caption. Here R_t covers the words from step t on, because s_t
// affects only these. The baseline b_t <- .9 b_t + .1 R_t is kept per step. The mean is the same, with less noise.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/hard_attention.h"
#include "models/decoder.h"

namespace softalign::models {

// The settings of hard attention in a step of training.
struct HardAttention {
  double share = 0.5;                 // of the steps are sampled, the others see the mean of all: 1/2 in section 4.1
  Array baseline;                     // (T') b_t; 0 of words beyond
  double reward = 1, entropy = 0.01;  // lambda_r, lambda_e
};

// R_t summed over a batch's captions that are that long, and how many these are.
struct Rewards {
  std::vector<double> sums, captions;  // (T)
  Rewards& operator+=(const Rewards& other);
};

// The share of sampled steps after a fraction (0 to 1) of the training. Attention is soft for the first third, because
// rewards are uninformative while no word is right.
double share_drawn(double done);

// Each row uses a sampled position with this probability, otherwise the mean.
layers::Draw draw_places(Random& random, double share);

// Teacher forcing with hard attention, which is sampled in a share `hard.share` of the steps from its own random
// stream. `sampled` gets every step.
TeacherForced teacher_forced_with_hard_attention(const Decoder& decoder, const Memory& memory, const Targets& targets,
                                                 const Training& training, const HardAttention& hard,
                                                 std::vector<layers::SampledAttention>& sampled);

// The term that is added to the sum of the word losses (T*B) of teacher forcing with the steps `sampled`: -sum over the
// words whose row drew of lambda_r (R_t - b_t) log alpha_t(s_t) + lambda_e H(alpha_t).
Var reinforcement(const Var& losses, const Ids& words, const std::vector<layers::SampledAttention>& sampled,
                  const HardAttention& hard, Rewards& rewards);

// b_t <- .9 b_t + .1 R_t, the mean of `rewards`.
void follow(Array& baseline, const Rewards& rewards);

}  // namespace softalign::models
