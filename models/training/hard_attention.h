// This file trains hard attention (layers/attention/hard_attention.h). Sampling a position has no derivative. REINFORCE
// (Williams 1992) makes a position more probable if the words after it were more probable than usual.
// Xu et al. 2015, section 4.1:
//
//   dL = -d log p(y | s) - lambda_r (R - b) d log p(s) - lambda_e dH(alpha)                         eq. 11-12
//
// In the paper, R is log p(y | s) of the complete caption. Here R_t covers the words from step t on, because s_t
// affects only these words. The code keeps one baseline b_t <- .9 b_t + .1 R_t per step. The mean is the same as in the
// paper, with less noise.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/hard_attention.h"
#include "models/decoder.h"

namespace softalign::models {

// HardAttention has the settings of hard attention in a step of training.
struct HardAttention {
  double fraction = 0.5;              // of the steps are sampled, the others see the mean of all: 1/2 in section 4.1
  Array baseline;                     // (T') b_t; 0 of words beyond
  double reward = 1, entropy = 0.01;  // lambda_r, lambda_e
};

// Rewards has the sum of R_t over the captions of a batch that have a step t, and the number of these captions.
struct Rewards {
  std::vector<double> sums, captions;  // (T)
  Rewards& operator+=(const Rewards& other);
};

// Returns the fraction of sampled steps after a fraction (0 to 1) of the training. Attention is soft for the first
// third, because rewards are uninformative while no word is right.
double sampled_fraction(double done);

// Returns a function that uses a sampled position for each row with this probability, and the mean of all positions
// otherwise.
layers::Draw sample_positions(Random& random, double fraction);

// Computes teacher forcing with hard attention. It samples in a fraction `hard.fraction` of the steps, from a separate
// random stream. `sampled` receives every step.
TeacherForced teacher_forced_with_hard_attention(const Decoder& decoder, const Memory& memory, const Targets& targets,
                                                 const Training& training, const HardAttention& hard,
                                                 std::vector<layers::SampledAttention>& sampled);

// Adds a term to the sum of the word losses (T*B) of teacher forcing with the steps `sampled`. The term is the negative
// sum of lambda_r (R_t - b_t) log alpha_t(s_t) + lambda_e H(alpha_t) over the words whose row sampled a position.
Var reinforcement(const Var& losses, const Ids& words, const std::vector<layers::SampledAttention>& sampled,
                  const HardAttention& hard, Rewards& rewards);

// Updates b_t <- .9 b_t + .1 R_t, where R_t is the mean of `rewards`.
void follow(Array& baseline, const Rewards& rewards);

}  // namespace softalign::models
