// A Cell is an LSTM or a GRU. Encoders and decoders can use either. docs/notation.md explains the notation.
#pragma once

#include <variant>
#include <vector>

#include "layers/kinds.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "layers/state.h"

namespace softalign::layers {

class Cell {
 public:
  // CellKind::gru is the GRU of Cho et al. 2014.
  Cell(const Params& p, CellKind kind, std::size_t E, std::size_t H, const InitialiserConfig& init);

  // The struct State is what a cell passes from one step to the next. Each part is (R, H): R rows of H numbers.
  struct State {
    Var h;
    Var c;  // only in an LSTM
    template <class Visit>
    void each(Visit&& visit) {
      visit("h", h), visit("c", c);
    }
  };

  std::size_t gates() const;            // width of the projection: 4H or 3H
  Var project(const Var& x) const;      // x W + b  (.., E) -> (.., gates)
  GateInputs read(const Var& x) const;  // the same input, but x W is computed later
  State start(const Var& h) const;      // h_0 = h, c_0 = 0
  // Computes one step of R rows. `in` has the inputs of the gates: x W + b (R, gates) for the input x, and optionally
  // more inputs, for example the product of the context and its weights. `s` is the state before the step.
  State step(const GateInputs& in, const State& s) const;

  struct Sequence {
    Var h;       // (S, B, H)
    State last;  // the state after the last step
  };
  // Runs the cell over the S steps of B sentences, x (S, B, E), from a state of zeros.
  Sequence run(const Var& x, const std::vector<std::size_t>& lengths, Direction direction) const;

 private:
  std::variant<LSTM, GRU> cell_;
};

}  // namespace softalign::layers
