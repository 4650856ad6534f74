// NeuralComputer is an LSTM with an external memory. It can allocate and free positions of the memory, and can read
// them in the order of writing. It is the differentiable neural computer (DNC) of Graves et al. 2016:
//
//   h_t = LSTM([E[w_t]; r^1_{t-1}; ..; r^R_{t-1}])           the controller
//   xi_t = W_xi h_t + b_xi                                   the interface vector (layers/addressing)
//   r^i_t = M_t' w^{r,i}_t                                   what read head i reads
//   p_t = softmax(W_y [h_t; r^1_t; ..; r^R_t] + b_y)
//
// E[w_t] is the embedding of word t, and h_t is the state of the LSTM. The interface vector xi_t controls how the heads
// write and read. M_t is the memory, one row per position. w^{r,i}_t are the weights of read head i = 1 .. R over the
// positions. p_t has the probability of each output word. M' is the transpose of M. Each W and b is learned.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/addressing/dynamic_memory.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/lstm.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class NeuralComputer {
 public:
  struct Options {
    std::size_t words = 0;                    // V
    std::size_t embedding = 16, hidden = 32;  // E, H
    std::size_t width = 20;                   // W, how many numbers a memory position has
    std::size_t heads = 1;                    // R, the number of read heads
  };
  NeuralComputer(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                           // (T, B, V)
    std::vector<Var> written;             // the write weighting of each step, (B, N)
    std::vector<std::vector<Var>> read;   // the read weighting of each step and head, (B, N)
    std::vector<std::vector<Var>> modes;  // backward, content, forward of each step and head, (B, 3)
    std::vector<Var> used;                // the usage of each step, (B, N)
  };
  // Returns the results for B texts with the same number T of words. Word t of text b is entry t*B + b of `words`. No
  // parameter depends on the number of memory positions, so you may change `positions` after training.
  Output operator()(const Ids& words, std::size_t B, std::size_t positions) const;

 private:
  Options options_;
  layers::InitialiserConfig initialiser_ = layers::initialiser_config(layers::InitialiserKind::standard);
  layers::Embedding words_;
  layers::LSTM controller_;
  Var W_r_;  // (R W, 4H)
  layers::InterfaceLayer interface_;
  layers::Linear output_;
};

}  // namespace softalign::models
