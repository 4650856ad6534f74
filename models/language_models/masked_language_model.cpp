#include "models/language_models/masked_language_model.h"

#include <string>
#include <utility>

namespace softalign::models {

MaskedLanguageModel::MaskedLanguageModel(const Options& o, const autograd::Params& p)
    : causal_(o.causal),
      words_(p / "words", o.words, o.width, layers::normal(1)),
      positions_(p / "positions", o.positions, o.max_positions, o.width, layers::normal(0.1)),
      norm_(p / "norm", o.width),
      output_(p / "output", o.width, o.words, initialiser_.input(1)) {
  const layers::BlockOptions block{
      .self = {.width = o.width, .heads = o.heads, .rotary = o.positions == layers::PositionKind::rotary},
      .feed_forward = o.feed_forward};
  for (std::size_t l = 0; l < o.layers; ++l)
    blocks_.emplace_back(p / ("layer" + std::to_string(l)), block, initialiser_);
}

MaskedLanguageModel::Output MaskedLanguageModel::operator()(const Ids& words, std::size_t B) const {
  Var x = positions_(words_(words, B));  // (T, B, d)
  Output output;
  for (const layers::EncoderBlock& block : blocks_) {
    layers::EncoderBlock::Output read = block(x, {.causal = causal_}, layers::ReturnWeights::yes, nullptr);
    output.weights.push_back(read.weights);
    x = std::move(read.x);
  }
  output.logits = output_(norm_(x));
  return output;
}

}  // namespace softalign::models
