// Recurrent stacks over whole sequences, one- or bidirectional, of any depth.
#pragma once

#include <string>
#include <vector>

#include "layers/dense/dropout.h"
#include "layers/recurrent/cell.h"

namespace layers {

// h-> and h<- of Schuster & Paliwal 1997; layer l reads the states of layer l-1. Both directions' states are
// concatenated, or added, which keeps the size of a state H. With residual connections (He et al. 2016; Wu et al. 2016,
// section 3.1) layer l > 0 passes on its states plus what it read.
class RecurrentStack {
 public:
  struct Options {
    std::string cell = "lstm";
    std::size_t input = 0;   // E
    std::size_t hidden = 0;  // H per direction
    std::size_t layers = 1;
    bool bidirectional = true;
    bool residual = false;
    bool add_directions = false;
  };
  struct Output {
    Var states;                             // (S, B, D) of the top layer; D = H, or 2H: [h->_j; h<-_j], or H: their sum
    std::vector<Cell::State> last_forward;  // per layer, after the last word
    std::vector<Cell::State> last_backward;  // per layer, at the first word; empty if unidirectional
  };

  RecurrentStack(const Params& p, const Options& options, const Scheme& init);
  std::size_t width() const {
    return options_.hidden * (options_.bidirectional && !options_.add_directions ? 2 : 1);
  }  // D

  // x (S, B, E). Dropout acts between layers.
  Output operator()(const Var& x, const std::vector<std::size_t>& lengths, const Dropout& dropout = {},
                    Random* random = nullptr) const;

 private:
  Options options_;
  std::vector<Cell> forward_, backward_;
};

}  // namespace layers
