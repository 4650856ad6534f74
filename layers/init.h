// This file has the initialisers of parameters. `blocks` says how many matrices one parameter contains. For example, an
// LSTM has four gates, and each is initialised as its own matrix.
#pragma once

#include "layers/kinds.h"
#include "layers/types.h"

namespace softalign::layers {

Initialiser zeros();
Initialiser ones();
Initialiser normal(double standard_deviation);
Initialiser normal_by_width();               // of rows of d numbers: N(0, 1/d)
Initialiser uniform(double bound);           // U[-bound, bound]
Initialiser glorot(std::size_t blocks = 1);  // U[-a, a], a = sqrt(6 / (fan in + fan out)); Glorot & Bengio 2010, eq. 16
Initialiser orthogonal(std::size_t blocks = 1);  // Saxe et al. 2014; each block (n, n)

// An InitialiserConfig has one initialiser for every role that a parameter can play.
struct InitialiserConfig {
  Initialiser embedding;
  Initialiser (*input)(std::size_t blocks);      // x -> hidden and readout
  Initialiser (*recurrent)(std::size_t blocks);  // hidden -> hidden
  Initialiser attention;                         // W_a and U_a
  Initialiser attention_v;                       // v_a
};

// "default": Embeddings are N(0, 1), inputs are Glorot, recurrences are orthogonal, and biases are 0. The bias of the
//            LSTM's forget gate is 0 too. With the customary 1, an encoder state contains much of its neighbours, and
//            the attention settles next to the right word.
// "paper":   Bahdanau et al. 2015, appendix B.1: recurrent matrices are orthogonal, W_a and U_a are N(0, .001^2), v_a
//            and biases are 0, and all others are N(0, .01^2).
// "luong":   Luong et al. 2015, section 4.1: all weights are U[-.1, .1]. Biases are 0.
// "transformer": This is default, but embeddings are N(0, 1/d), because a Transformer multiplies them by sqrt(d)
//            (Vaswani et al. 2017, section 3.4). Under Adam, embeddings then learn faster by this factor.
InitialiserConfig initialiser_config(InitialiserKind kind);

}  // namespace softalign::layers
