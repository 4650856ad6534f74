// Stacks of recurrent layers. An encoder stack processes complete sequences, in one or both directions. A decoder stack
// processes one step at a time. docs/notation.md explains the letters.
#pragma once

#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "layers/dense/dropout.h"
#include "layers/recurrent/cell.h"

namespace softalign::layers {

// RecurrentStack is the stack of an encoder. It processes complete sequences.

struct StackOptions {
  std::size_t input = 0;   // E
  std::size_t hidden = 0;  // H per direction
  std::size_t layers = 1;
  bool bidirectional = true;
  bool residual = false;
  bool add_directions = false;
};

// Layer l reads the states of layer l-1, in both directions h-> and h<- of Schuster & Paliwal 1997. The states of both
// directions are concatenated, or added, which keeps the size H. There may be residual connections
// (He et al. 2016; Wu et al. 2016, section 3.1): the output of layer l > 0 is then its states plus its input.
// A Layer has run(x, lengths, direction), which returns a Sequence with the states h (S, B, H).
template <class Layer>
class LayerStack {
 public:
  struct Output {
    Var states;  // (S, B, D) of the top layer; D = H, or 2H: [h->_j; h<-_j], or H: their sum
    std::vector<typename Layer::Sequence> forward, backward;  // per layer; no backward ones if unidirectional
  };

  // make(p, E) returns a layer that reads E numbers. Throws std::invalid_argument if there are no layers.
  template <class Make>
  LayerStack(const Params& p, const StackOptions& options, const Make& make) : options_(options) {
    if (options.layers == 0) throw std::invalid_argument("recurrent stack: at least one layer expected");
    for (std::size_t l = 0; l < options.layers; ++l) {
      const Params layer = options.layers == 1 ? p : p / fmt::format("layer{}", l);
      const std::size_t input = l == 0 ? options.input : width();
      forward_.push_back(make(layer / "forward", input));
      if (options.bidirectional) backward_.push_back(make(layer / "backward", input));
    }
  }
  std::size_t width() const {
    return options_.hidden * (options_.bidirectional && !options_.add_directions ? 2 : 1);
  }  // D

  // Runs over x (S, B, E). Dropout acts between layers.
  Output operator()(const Var& input, const std::vector<std::size_t>& lengths, const Dropout& dropout = {},
                    Random* random = nullptr) const {
    Output out;
    for (std::size_t l = 0; l < forward_.size(); ++l) {
      const Var x = l == 0 ? input : dropout(out.states, random);  // both directions read the same
      out.forward.push_back(forward_[l].run(x, lengths, Direction::forward));
      const Var& right = out.forward.back().h;
      out.states = right;
      if (options_.bidirectional) {
        out.backward.push_back(backward_[l].run(x, lengths, Direction::backward));
        out.states = joined(right, out.backward.back().h);
      }
      if (options_.residual && l > 0) out.states = out.states + x;
    }
    return out;
  }

  // Joins h-> and h<- (S, B, H) to D numbers per step, as it joins the states.
  Var joined(const Var& right, const Var& left) const {
    return options_.add_directions ? right + left : autograd::concat({right, left}, 2);
  }

 private:
  StackOptions options_;
  std::vector<Layer> forward_, backward_;
};

using RecurrentStack = LayerStack<Cell>;
// Returns a stack of cells of this `kind`.
RecurrentStack recurrent_stack(const Params& p, CellKind kind, const StackOptions& options,
                               const InitialiserConfig& init);

// --- The stack of a decoder computes one step at a time. ---

// Layer l > 0 reads the output of layer l-1. This output is the state of that layer, plus its input if there are
// residual connections.
class DecoderStack {
 public:
  DecoderStack(const Params& p, CellKind cell, std::size_t E, std::size_t H, std::size_t layers, bool residual,
               const InitialiserConfig& init);

  std::size_t gates() const { return cells_.front().gates(); }
  GateInputs read(const Var& x) const { return cells_.front().read(x); }  // the first layer's input gates

  struct State {
    std::vector<Cell::State> layers;  // bottom first
    template <class Visit>
    void each(Visit&& visit) {
      visit("layers", layers);
    }
  };
  struct Step {
    Var h;  // (R, H) output of the top layer
    State state;
  };
  State start(const std::vector<Var>& h) const;  // h_0 (R, H) of each layer, c_0 = 0
  // Computes a step from the input of the first layer and other inputs of its gates.
  Step step(const GateInputs& in, const State& s, const Dropout& dropout = {}, Random* random = nullptr) const;

 private:
  std::vector<Cell> cells_;
  bool residual_;
};

}  // namespace softalign::layers
