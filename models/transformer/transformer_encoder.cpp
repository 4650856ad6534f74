#include "models/transformer/transformer_encoder.h"

#include <utility>

#include "models/time_steps.h"
#include "models/transformer/transformer_stack.h"

namespace softalign::models {

TransformerEncoder::TransformerEncoder(const ModelOptions& o, layers::Embedding source, const autograd::Params& p,
                                       const layers::Scheme& init)
    : width_(o.hidden),
      dropout_{o.dropout, o.variational_dropout},
      source_(std::move(source)),
      positions_(p / "positions", o.positions, o.known_positions, o.hidden, init.embedding, "source"),
      blocks_(blocks<layers::EncoderBlock>(o, p, init)),
      last_(last_norm(o, p)) {}

EncoderOutput TransformerEncoder::operator()(const Batch& batch, Wanted wanted, const Training* training) const {
  Random* const random = randomness(training);
  // x_0 = sqrt(d) E[w] + P
  Var x = dropout_(positions_(scaled(source_(batch.source, batch.size))), random);  // (S, B, d)
  const layers::Mask mask{.lengths = batch.source_lengths};
  std::vector<Var> looks;
  for (const layers::EncoderBlock& block : blocks_) {
    const auto after = block(x, mask, wanted, random);
    x = after.x;
    looks.push_back(after.weights);
  }
  return {.states = last_ ? (*last_)(x) : x, .forward = {}, .backward = {}, .looks = heads_of(looks, "encoder-self")};
}

EncoderKind transformer_encoder() {
  EncoderKind k{.names = {"transformer"}, .uses = {"heads", "feed-forward", "norm", "positions", "self-attention"}};
  k.defaults = {{"layers", "2"},    {"heads", "4"},  {"feed-forward", "256"},
                {"dropout", "0.1"}, {"lr", "0.003"}, {"warmup", "400"}};
  k.initialiser = "transformer";
  k.embedding = [](const ModelOptions& o) { return o.hidden; };
  k.conflicts = conflicts_of_blocks;
  k.make = [](const ModelOptions& o, Directions, layers::Embedding source, const autograd::Params& p,
              const layers::Scheme& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<TransformerEncoder>(o, std::move(source), p, init);
  };
  return k;
}

}  // namespace softalign::models
