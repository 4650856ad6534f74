#include "layers/recurrent/recurrent_stack.h"

#include <fmt/format.h>

#include <stdexcept>

namespace layers {

RecurrentStack::RecurrentStack(const Params& p, const Options& options, const Scheme& init) : options_(options) {
  if (options.layers == 0) throw std::invalid_argument("recurrent stack: at least one layer expected");
  for (std::size_t l = 0; l < options.layers; ++l) {
    const Params room = options.layers == 1 ? p : p / fmt::format("layer{}", l);
    const std::size_t input = l == 0 ? options.input : width();
    forward_.emplace_back(room / "forward", options.cell, input, options.hidden, init);
    if (options.bidirectional) backward_.emplace_back(room / "backward", options.cell, input, options.hidden, init);
  }
}

RecurrentStack::Output RecurrentStack::operator()(const Var& input, const std::vector<std::size_t>& lengths,
                                                  const Dropout& dropout, Random* random) const {
  Output out;
  for (std::size_t l = 0; l < forward_.size(); ++l) {
    const Var x = l == 0 ? input : dropout(out.states, random);  // both directions read the same
    const Cell::Sequence right = forward_[l].run(x, lengths, Direction::forward);
    out.last_forward.push_back(right.last);
    out.states = right.h;
    if (options_.bidirectional) {
      const Cell::Sequence left = backward_[l].run(x, lengths, Direction::backward);
      out.last_backward.push_back(left.last);
      out.states = options_.add_directions ? right.h + left.h : autograd::concat({right.h, left.h}, 2);
    }
    if (options_.residual && l > 0) out.states = out.states + x;
  }
  return out;
}

}  // namespace layers
