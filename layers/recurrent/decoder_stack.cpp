#include "layers/recurrent/decoder_stack.h"

#include <fmt/format.h>

#include <utility>

namespace layers {

DecoderStack::DecoderStack(const Params& p, const std::string& cell, std::size_t E, std::size_t H, std::size_t layers,
                           bool residual, const Scheme& init)
    : residual_(residual) {
  for (std::size_t l = 0; l < layers; ++l) {
    const Params room = layers == 1 ? p : p / fmt::format("layer{}", l);
    cells_.emplace_back(room, cell, l == 0 ? E : H, H, init);
  }
}

std::size_t DecoderStack::parts() const { return cells_.size() * cells_.front().parts(); }

DecoderStack::Step DecoderStack::step(Var xW, const States& s, const Dropout& dropout, Random* random) const {
  const auto n = static_cast<std::ptrdiff_t>(cells_.front().parts());
  const std::size_t R = xW.dim(0);
  Step out;
  for (std::size_t l = 0; l < cells_.size(); ++l) {
    const auto begin = s.begin() + static_cast<std::ptrdiff_t>(l) * n;
    const Var x = l == 0 ? Var() : dropout(out.h, R, random);
    const States now = cells_[l].step(l == 0 ? std::move(xW) : cells_[l].project(x), States(begin, begin + n));
    out.h = residual_ && l > 0 ? now[0] + x : now[0];
    out.states.insert(out.states.end(), now.begin(), now.end());
  }
  return out;
}

}  // namespace layers
