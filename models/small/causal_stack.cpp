#include "models/small/causal_stack.h"

#include "autograd/ops/elementwise.h"

namespace models {

CausalStack::CausalStack(const Options& o, const autograd::Params& p)
    : words_(p / "words", o.words, o.width, layers::normal(1)),
      positions_(p / "positions", o.kind == "lstm" ? "none" : "sinusoidal", o.places, o.width, layers::normal(0.1)),
      output_(p / "output", o.width, o.words, scheme_.input(1)) {
  if (o.kind == "lstm") {
    recurrence_.emplace_back(
        p / "recurrence",
        layers::RecurrentStack::Options{
            .cell = "lstm", .input = o.width, .hidden = o.width, .layers = o.layers, .bidirectional = false},
        scheme_);
  } else {
    const layers::SelfAttention::Options attention{
        .kind = layers::SelfAttention::kinds().at(o.kind), .width = o.width, .heads = 1, .places = o.places};
    for (std::size_t l = 0; l < o.layers; ++l) {
      const autograd::Params room = p / ("layer" + std::to_string(l));
      norms_.emplace_back(room / "norm", o.width);
      attention_.emplace_back(room, attention, scheme_);
    }
  }
  norms_.emplace_back(p / "norm", o.width);
}

CausalStack::Output CausalStack::operator()(const Ids& words, std::size_t B) const {
  Output out;
  Var x = positions_(words_(words, B));  // (n, B, d)
  for (const layers::RecurrentStack& recurrence : recurrence_)
    x = recurrence(x, std::vector<std::size_t>(B, x.dim(0))).states;
  for (std::size_t l = 0; l < attention_.size(); ++l) {
    const layers::Glimpse look = attention_[l](norms_[l](x), {.causal = true}, layers::Wanted::weights);
    x = x + look.context;
    out.weights.push_back(look.weights);
  }
  out.logits = output_(norms_.back()(x));
  return out;
}

}  // namespace models
