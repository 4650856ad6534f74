// This file has the functions that set the initial values of parameters. `blocks` says how many matrices one parameter
// contains. For example, the four gates of an LSTM share one parameter, and each gate is initialised as its own matrix.
#pragma once

#include "layers/kinds.h"
#include "layers/types.h"

namespace softalign::layers {

Initialiser zeros();
Initialiser ones();
Initialiser normal(double standard_deviation);
Initialiser normal_by_width();               // N(0, 1/d) for rows of d numbers
Initialiser uniform(double bound);           // U[-bound, bound]
Initialiser glorot(std::size_t blocks = 1);  // U[-a, a], a = sqrt(6 / (fan in + fan out)); Glorot & Bengio 2010, eq. 16
Initialiser orthogonal(std::size_t blocks = 1);  // Saxe et al. 2014; each block (n, n)

// An InitialiserConfig has one initialiser for each kind of parameter: embeddings, input weights, recurrent weights,
// and the parameters of the attention.
struct InitialiserConfig {
  Initialiser embedding;
  std::function<Initialiser(std::size_t blocks)> input;      // x -> hidden and readout
  std::function<Initialiser(std::size_t blocks)> recurrent;  // hidden -> hidden
  Initialiser attention;                                     // W_a and U_a
  Initialiser attention_v;                                   // v_a
};

// An InitialiserKind names a set of initialisers. N(0, s^2) is a normal distribution with standard deviation s, and
// U[-a, a] is a uniform distribution. W_a, U_a and v_a are the parameters of an additive score.
// "default":     Embeddings are N(0, 1), input weights are Glorot, recurrent weights are orthogonal, and biases are 0.
//                The bias of the LSTM's forget gate is 0 too. With a bias of 1, an encoder state repeats much of its
//                neighbours, and attention then prefers the neighbours of the right word.
// "paper":       Recurrent weights are orthogonal, W_a and U_a are N(0, .001^2), v_a and biases are 0, and all other
//                weights are N(0, .01^2). Bahdanau et al. 2015, appendix B.1
// "luong":       All weights are U[-a, a], and biases are 0. From 128 hidden units on, a is 0.1 (Luong et al. 2015,
//                section 4.1). Below, a = 0.1 sqrt(128 / hidden) keeps the variance of a sum over `hidden` inputs.
// "transformer": The weights are as in "default", but embeddings of size d are N(0, 1/d), because a Transformer
//                multiplies them by sqrt(d) (Vaswani et al. 2017, section 3.4). This also multiplies Adam's updates.
InitialiserConfig initialiser_config(InitialiserKind kind, std::size_t hidden = 128);

}  // namespace softalign::layers
