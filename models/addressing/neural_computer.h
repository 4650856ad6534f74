// NeuralComputer: an LSTM with a memory that it allocates, frees and reads in the order of writing. Graves et al. 2016,
// the differentiable neural computer (DNC):
//
//   h_t = LSTM([E[w_t]; r^1_{t-1}; ..; r^R_{t-1}])           the controller
//   xi_t = W_xi h_t + b_xi                                   what it says to the memory (layers/addressing)
//   r^i_t = M_t' w^{r,i}_t                                   what head i reads
//   p_t = softmax(W_y [h_t; r^1_t; ..; r^R_t] + b_y)
#pragma once

#include <cstddef>
#include <vector>

#include "layers/addressing/dynamic_memory.h"
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
    std::size_t width = 20;                   // W, numbers of a position
    std::size_t heads = 1;                    // R
  };
  NeuralComputer(const Options& options, const autograd::Params& p);

  struct Output {
    Var logits;                           // (T, B, V)
    std::vector<Var> written;             // the write weighting of each step, (B, N)
    std::vector<std::vector<Var>> read;   // the read weighting of each step and head, (B, N)
    std::vector<std::vector<Var>> modes;  // backward, content, forward of each step and head, (B, 3)
    std::vector<Var> used;                // the usage of each step, (B, N)
  };
  // B texts of as many words: (T*B), row t*B + b. No parameter depends on the number of positions.
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
