#include "layers/recurrent/stacks.h"

#include <fmt/format.h>

namespace softalign::layers {

RecurrentStack recurrent_stack(const Params& p, CellKind kind, const StackOptions& options,
                               const InitialiserConfig& init) {
  return {p, options, [&](const Params& layer, std::size_t E) { return Cell(layer, kind, E, options.hidden, init); }};
}

DecoderStack::DecoderStack(const Params& p, CellKind cell, std::size_t E, std::size_t H, std::size_t layers,
                           bool residual, const InitialiserConfig& init)
    : residual_(residual) {
  for (std::size_t l = 0; l < layers; ++l) {
    const Params layer = layers == 1 ? p : p / fmt::format("layer{}", l);
    cells_.emplace_back(layer, cell, l == 0 ? E : H, H, init);
  }
}

DecoderStack::State DecoderStack::start(const std::vector<Var>& h) const {
  State state;
  for (std::size_t l = 0; l < cells_.size(); ++l) state.layers.push_back(cells_[l].start(h[l]));
  return state;
}

DecoderStack::Step DecoderStack::step(const GateInputs& in, const State& s, const Dropout& dropout,
                                      Random* random) const {
  Step out;
  for (std::size_t l = 0; l < cells_.size(); ++l) {
    const Var x = l == 0 ? Var() : dropout(out.h, random);
    const Cell::State now = cells_[l].step(l == 0 ? in : cells_[l].read(x), s.layers.at(l));
    out.h = residual_ && l > 0 ? now.h + x : now.h;
    out.state.layers.push_back(now);
  }
  return out;
}

}  // namespace softalign::layers
