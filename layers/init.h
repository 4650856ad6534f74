// Initialisers of parameters. `blocks` says how many matrices one parameter contains. For example, an LSTM has four
// gates, and each is initialised as its own matrix.
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

// "default": embeddings N(0, 1), Glorot inputs, orthogonal recurrences, biases 0. The LSTM's forget gate too: with the
//            customary 1 an encoder state holds much of its neighbours, and the attention settles beside the word.
// "paper":   Bahdanau et al. 2015, appendix B.1: recurrent matrices orthogonal, W_a and U_a N(0, .001^2), v_a and
//            biases 0, all others N(0, .01^2).
// "luong":   Luong et al. 2015, section 4.1: everything U[-.1, .1]. Biases are 0.
// "transformer": as default, but embeddings N(0, 1/d), which a Transformer reads times sqrt(d) (Vaswani et al. 2017,
//            section 3.4): under Adam they learn that much faster.
InitialiserConfig initialiser_config(InitialiserKind kind);

}  // namespace softalign::layers
