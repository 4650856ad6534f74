#include "models/language_models/transformer_language_model.h"

#include <algorithm>

#include "models/decoder.h"
#include "models/family.h"
#include "models/transformer/transformer_stack.h"

namespace softalign::models {

DecoderOnlyTransformer::DecoderOnlyTransformer(const ModelOptions& o, const autograd::Params& p,
                                               const layers::InitialiserConfig& init)
    : dropout_{o.dropout, o.variational_dropout},
      known_positions_(o.known_positions),
      words_(target_embedding(o, o.hidden, p, init), o, o.hidden, p, init),
      positions_(p / "positions", *o.positions, o.known_positions, o.hidden, init.embedding),
      blocks_(blocks<layers::EncoderBlock>(o, p, init)),
      last_(last_norm(o, p)) {}

State DecoderOnlyTransformer::start(const Memory& memory) const {
  return {layers::StackKVCache{0, std::vector<layers::KVCache>(blocks_.size())}, each_once(memory)};
}

Step DecoderOnlyTransformer::step(const Ids& previous, const State& state, const Memory&) const {
  const auto& cache = state.as<layers::StackKVCache>();
  // A learned position table uses its last position for all later positions.
  const std::size_t place = positions_.learned() ? std::min(cache.steps, known_positions_ - 1) : cache.steps;
  Var y = positions_(scaled(words_(previous, previous.size())), place);  // (1, R, d)
  layers::StackKVCache now{.steps = cache.steps + 1, .layers = {}};
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    auto after = blocks_[l].step(y, cache.steps, cache.layers[l]);
    y = after.x;
    now.layers.push_back(std::move(after.cache));
  }
  return {words_.logits(at(output(y), 0)), {std::move(now), state.sentence}, {}};
}

DecoderOnlyTransformer::Layers DecoderOnlyTransformer::read(const Targets& targets, std::size_t B,
                                                            layers::ReturnWeights return_weights,
                                                            Random* random) const {
  Layers all{.y = dropout_(positions_(scaled(words_(targets.in, B))), random), .self_attention = {}};
  for (const layers::EncoderBlock& block : blocks_) {
    const auto after = block(all.y, {.causal = true}, return_weights, random);
    all.y = after.x;
    all.self_attention.push_back(after.weights);
  }
  return all;
}

TeacherForced DecoderOnlyTransformer::teacher_forced(const Memory& memory, const Targets& targets,
                                                     const Training* training) const {
  const Layers all = read(targets, memory.size(), layers::ReturnWeights::no, randomness(training));
  return {words_.losses(output(all.y), targets.out, training), {}};
}

std::vector<Heads> DecoderOnlyTransformer::self_attention(const Targets& targets, std::size_t B) const {
  return heads_of(read(targets, B, layers::ReturnWeights::yes, nullptr).self_attention, data::HeadKind::decoder_self);
}

Family transformer_language_model() {
  Family f{
      .name = "transformer-lm", .author = "radford", .title = "language model", .attention = layers::ScoreKind::none};
  f.task = Task::language_model;
  f.uses = {"model",           "hidden",           "layers", "heads",   "feed-forward", "norm",
            "positions",       "self-attention",   "tie",    "dropout", "initialiser",  "variational-dropout",
            "known-positions", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) { return conflicts_of_no_source(o) + conflicts_of_blocks(o); };
  f.initialiser = [](const ModelOptions&) { return layers::InitialiserKind::transformer; };
  f.make = make<TransformerLanguageModel>;
  f.defaults = {{"layers", "2"},    {"heads", "4"},  {"hidden", "64"},  {"feed-forward", "256"},
                {"dropout", "0.1"}, {"lr", "0.004"}, {"warmup", "400"}, {"word-dropout", "0"}};
  return f;
}

}  // namespace softalign::models
