// TuringMachine is an LSTM with an external memory of N positions. One head writes to the memory and another head
// reads. It is from Graves, Wayne & Danihelka 2014, "Neural Turing machines", figure 1:
//
//   h_t = LSTM([E[w_t]; r_{t-1}])                                 the controller
//   M_t = write(M_{t-1}), where the write head erases and adds numbers         eq. 3-4
//   r_t = sum_i w_i M_t(i), with the weights w of the read head                eq. 2
//   p_t = softmax(W_o [h_t; r_t] + b_o)
//
// E[w_t] is the embedding of word t, and h_t is the state of the LSTM. M_t(i) is the vector at position i of the
// memory. r_t is the vector that the read head reads. p_t has the probability of each output word. W_o and b_o are
// learned.
//
// Both heads start at position 0. At the start, every element of the memory has the same small value.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/addressing/addressing.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/lstm.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class TuringMachine {
 public:
  struct Options {
    std::size_t words = 0;                    // V
    std::size_t embedding = 16, hidden = 32;  // E, H
    std::size_t width = 20;                   // W, how many numbers a memory position has
  };
  TuringMachine(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                      // (T, B, V)
    std::vector<Var> written, read;  // weights of the write head and the read head at each step, (B, N)
  };
  // Returns the results for B texts with the same number T of words. Word t of text b is entry t*B + b of `words`. The
  // memory has `places` positions. You may change this number after training, because no parameter depends on it.
  Output operator()(const Ids& words, std::size_t B, std::size_t places) const;

 private:
  Options options_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  layers::LSTM controller_;
  Var W_r_;  // (W, 4H)
  layers::WritingHead writes_;
  layers::Head reads_;
  layers::Linear output_;
};

}  // namespace softalign::models
