// This file has stacks of recurrent layers. The stack of an encoder processes complete sequences, in one direction or
// in both directions. The stack of a decoder processes one step at a time. docs/notation.md explains the notation.
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

// In a LayerStack, layer l reads the states of layer l-1. A bidirectional layer (Schuster & Paliwal 1997) computes
// states h-> from left to right and states h<- from right to left. It concatenates these states to the size 2H, or adds
// them, which keeps the size H. With residual connections (He et al. 2016; Wu et al. 2016, section 3.1), the output of
// each layer but the first is its states plus its input. The type Layer must have a function run(x, lengths, direction)
// that returns a Sequence with the states h (S, B, H).
template <class Layer>
class LayerStack {
 public:
  struct Output {
    Var states;  // (S, B, D) of the top layer; D = H or, for both directions concatenated, 2H
    std::vector<typename Layer::Sequence> forward, backward;  // per layer; no backward ones if unidirectional
  };

  // make(p, E) must return a new layer that reads E numbers per step and creates its parameters in p. Throws
  // std::invalid_argument if there are no layers.
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

  // Runs all layers over x (S, B, E). Dropout acts between the layers.
  Output operator()(const Var& input, const std::vector<std::size_t>& lengths, const Dropout& dropout = {},
                    Random* random = nullptr) const {
    Output out;
    for (std::size_t l = 0; l < forward_.size(); ++l) {
      const Var x = l == 0 ? input : dropout(out.states, random);  // the input of both directions
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

  // Joins the states of both directions, each (S, B, H), for S steps of B sentences. The function concatenates the
  // states, or adds them so that they keep the size H.
  Var joined(const Var& right, const Var& left) const {
    return options_.add_directions ? right + left : autograd::concat({right, left}, 2);
  }

 private:
  StackOptions options_;
  std::vector<Layer> forward_, backward_;
};

using RecurrentStack = LayerStack<Cell>;
// Returns a stack of LSTM or GRU cells, as `kind` says.
RecurrentStack recurrent_stack(const Params& p, CellKind kind, const StackOptions& options,
                               const InitialiserConfig& init);

// --- The stack of a decoder computes one step at a time ---

// In a DecoderStack, each layer but the first reads the output of the layer below. The output of a layer is its state.
// With residual connections, the output of each layer but the first is its state plus its input.
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
  // Computes one step. `in` has the inputs of the gates of the first layer, and `s` is the state before the step.
  Step step(const GateInputs& in, const State& s, const Dropout& dropout = {}, Random* random = nullptr) const;

 private:
  std::vector<Cell> cells_;
  bool residual_;
};

}  // namespace softalign::layers
