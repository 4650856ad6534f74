// DecoderStack: recurrent cells one above the other, a step at a time.
#pragma once

#include <string>
#include <vector>

#include "layers/dense/dropout.h"
#include "layers/recurrent/cell.h"

namespace softalign::layers {

// Layer l > 0 reads what layer l-1 passes up: its state, with residual connections plus what it read itself.
class DecoderStack {
 public:
  DecoderStack(const Params& p, const std::string& cell, std::size_t E, std::size_t H, std::size_t layers,
               bool residual, const Scheme& init);

  std::size_t gates() const { return cells_.front().gates(); }
  GateInputs read(const Var& x) const { return cells_.front().read(x); }  // what the first layer makes of words

  struct State {
    std::vector<Cell::State> layers;  // bottom first
    template <class Visit>
    void each(Visit&& visit) {
      visit("layers", layers);
    }
  };
  struct Step {
    Var h;  // (R, H) what the top passes up
    State state;
  };
  State start(const std::vector<Var>& h) const;  // h_0 (R, H) of each layer, c_0 = 0
  // From what the first layer reads, and what else reaches its gates.
  Step step(const GateInputs& in, const State& s, const Dropout& dropout = {}, Random* random = nullptr) const;

 private:
  std::vector<Cell> cells_;
  bool residual_;
};

}  // namespace softalign::layers
