// Hard attention: a step sees one place, drawn from its weights, in the place of their mean. Which place was worth
// drawing no derivative says; REINFORCE (Williams 1992) raises what was followed by likelier words than usual.
// Xu et al. 2015, section 4.1:
//
//   s_t ~ Multinomial(alpha_t)            z_t = a_{s_t}                                             eq. 8-9
//   dL = -d log p(y | s) - lambda_r (R - b) d log p(s) - lambda_e dH(alpha)                         eq. 11-12
//
// In the paper R is log p(y | s) of the whole caption. Here R_t is that of the words from step t on, the only ones that
// s_t has to do with, and b_t <- .9 b_t + .1 R_t, the batch's mean, is kept for each step: the same mean, less noise.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "models/decoder.h"

namespace models {

// One step of a decoder that draws.
struct Glance {
  Var alpha;   // (R, S)
  Ids places;  // (R) s_t; -1: the row saw the mean of all
};

// From alpha (R, S) to places as above.
using Draw = std::function<Ids(const Array& alpha)>;

// Each row with this probability a place of its weights, else the mean (section 4.1: one half).
Draw draw_places(Random& random, double share);
// The place with the largest weight, for decoding.
Ids largest_places(const Array& alpha);

// To be given to Decoder::reweighted: the weights of what was drawn are 1 there and 0 elsewhere. With `glances` each
// step adds one. std::invalid_argument in a step with several heads.
Reweight hard_looks(const Draw& draw, std::vector<Glance>* glances = nullptr);

class Reinforce {
 public:
  struct Options {
    double reward = 1, entropy = 0.01;  // lambda_r, lambda_e
  };
  Reinforce() = default;
  explicit Reinforce(const Options& options) : options_(options) {}

  // To be added to the sum of the words' losses (T*B) of forced decoding, of which the glances are:
  // -sum over the rows that drew of lambda_r (R_t - b_t) log alpha_t(s_t) + lambda_e H(alpha_t).
  Var loss(const Var& losses, const std::vector<Glance>& glances);

 private:
  Options options_;
  std::vector<double> b_;  // of each step; 0 before the first batch
};

}  // namespace models
