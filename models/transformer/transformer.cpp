#include "models/transformer/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "models/decoder.h"
#include "models/encoder.h"
#include "models/family.h"
#include "models/transformer/transformer_stack.h"

namespace softalign::models {

TransformerEncoder::TransformerEncoder(const ModelOptions& o, layers::Embedding source, const autograd::Params& p,
                                       const layers::InitialiserConfig& init)
    : width_(o.hidden),
      dropout_{o.dropout, o.variational_dropout},
      source_(std::move(source)),
      positions_(p / "positions", *o.positions, o.known_positions, o.hidden, init.embedding, "source"),
      blocks_(blocks<layers::EncoderBlock>(o, p, init)),
      last_(last_norm(o, p)) {}

EncoderOutput TransformerEncoder::operator()(const Batch& batch, ReturnWeights return_weights,
                                             const Training* training) const {
  Random* const random = randomness(training);
  // x_0 = sqrt(d) E[w] + P
  Var x = dropout_(positions_(scaled(source_(batch.source, batch.size))), random);  // (S, B, d)
  const layers::Mask mask{.lengths = batch.source_lengths};
  std::vector<Var> self_attention;
  for (const layers::EncoderBlock& block : blocks_) {
    const auto after = block(x, mask, return_weights, random);
    x = after.x;
    self_attention.push_back(after.weights);
  }
  return {.states = last_ ? (*last_)(x) : x,
          .forward = {},
          .backward = {},
          .self_attention = heads_of(self_attention, data::HeadKind::encoder_self)};
}

EncoderKind transformer_encoder() {
  EncoderKind k{.names = {"transformer"}, .uses = {"heads", "feed-forward", "norm", "positions", "self-attention"}};
  k.defaults = {{"layers", "2"},    {"heads", "4"},  {"feed-forward", "256"},
                {"dropout", "0.1"}, {"lr", "0.003"}, {"warmup", "400"}};
  k.initialiser = layers::InitialiserKind::transformer;
  k.embedding = [](const ModelOptions& o) { return o.hidden; };
  k.conflicts = conflicts_of_blocks;
  k.make = [](const ModelOptions& o, Directions, layers::Embedding source, const autograd::Params& p,
              const layers::InitialiserConfig& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<TransformerEncoder>(o, std::move(source), p, init);
  };
  return k;
}

TransformerDecoder::TransformerDecoder(const ModelOptions& o, TargetEmbedding words, const autograd::Params& p,
                                       const layers::InitialiserConfig& init)
    : dropout_{o.dropout, o.variational_dropout},
      known_positions_(o.known_positions),
      by_norms_(o.alignment_by == AlignmentBy::norms),
      words_(std::move(words)),
      positions_(p / "positions", *o.positions, o.known_positions, o.hidden, init.embedding, "target"),
      blocks_(blocks<layers::DecoderBlock>(o, p, init)),
      last_(last_norm(o, p)) {}

Memory TransformerDecoder::memory(std::vector<std::size_t> lengths, const Var& states, const Training* training) const {
  Source source;
  for (const layers::DecoderBlock& block : blocks_) {
    source.layers.push_back(block.memory(states));
    if (by_norms_ && training == nullptr) source.norms.push_back(block.norms(source.layers.back()));
  }
  return {std::move(lengths), source};
}

State TransformerDecoder::start(const Memory& memory) const {
  return {layers::StackKVCache{0, std::vector<layers::KVCache>(blocks_.size())}, each_once(memory)};
}

AttentionHook TransformerDecoder::hook_of(std::size_t layer) const {
  if (!hook_) return {};
  return [this, layer](layers::HookInput input) {
    input.layer = layer;
    return hook_(input);
  };
}

// The alignment is the mean over the layers. A layer contributes its norms, or the mean over its heads.
BatchWeights TransformerDecoder::weights_of(const std::vector<Var>& layers, const Source& source,
                                            const Ids& sentence) const {
  BatchWeights all;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Var own = source.norms.empty() ? layers::mean_over_heads(layers[l]) : source.norms[l](layers[l], sentence);
    all.matrix = l == 0 ? own : all.matrix + own;
  }
  all.matrix = all.matrix * (1 / static_cast<Real>(layers.size()));
  if (layers.size() > 1 || layers.front().dim(1) > 1 || !source.norms.empty())
    all.heads = heads_of(layers, data::HeadKind::cross);
  return all;
}

Step TransformerDecoder::step(const Ids& previous, const State& state, const Memory& memory) const {
  const auto& cache = state.as<layers::StackKVCache>();
  const auto& source = memory.as<Source>();
  // A translation may become longer than all sentences of the training. A learned position table then uses its last
  // position for all later positions.
  std::size_t place = cache.steps;
  if (positions_.learned()) place = std::min(place, known_positions_ - 1);
  const layers::Mask mask{.lengths = memory.lengths, .sentence = state.sentence};
  Var y = positions_(scaled(words_(previous, previous.size())), place);  // (1, R, d)
  layers::StackKVCache now{.steps = cache.steps + 1, .layers = {}};
  std::vector<Var> weights;
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    const auto after = blocks_[l].step(y, cache.steps, cache.layers[l], source.layers[l], mask, hook_of(l));
    y = after.x;
    weights.push_back(after.cross);
    now.layers.push_back(after.cache);
  }
  return {
      words_.logits(at(output(y), 0)), {std::move(now), state.sentence}, weights_of(weights, source, state.sentence)};
}

TransformerDecoder::Layers TransformerDecoder::read(const Memory& memory, const Targets& targets,
                                                    layers::ReturnWeights self, Random* random) const {
  const auto& source = memory.as<Source>().layers;
  const layers::Mask mask{.lengths = memory.lengths};
  Layers all{.y = dropout_(positions_(scaled(words_(targets.in, memory.size()))), random)};
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    const auto after = blocks_[l](all.y, source[l], mask, self, random, hook_of(l));
    all.y = after.x;
    all.self.push_back(after.self);
    all.cross.push_back(after.cross);
  }
  return all;
}

TeacherForced TransformerDecoder::teacher_forced(const Memory& memory, const Targets& targets,
                                                 const Training* training) const {
  const Layers all = read(memory, targets, layers::ReturnWeights::no, randomness(training));
  return {words_.losses(output(all.y), targets.out, training),
          weights_of(all.cross, memory.as<Source>(), each_once(memory))};
}

std::vector<Heads> TransformerDecoder::self_attention(const Memory& memory, const Targets& targets) const {
  return heads_of(read(memory, targets, layers::ReturnWeights::yes, nullptr).self, data::HeadKind::decoder_self);
}

std::unique_ptr<Decoder> TransformerDecoder::with_attention_hook(const AttentionHook& hook) const {
  auto changed = std::make_unique<TransformerDecoder>(*this);
  changed->hook_ = hook;
  return changed;
}

std::unique_ptr<Decoder> TransformerDecoder::with_words(const Ids& words) const {
  return with_only(*this, &TransformerDecoder::words_, words);
}

Transformer::Transformer(const ModelOptions& o, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      words_(make_embeddings(o, o.hidden, o.hidden, p, initialiser_)),
      encoder_(make_encoder(o, Directions::added, words_.source, p / "encoder")),
      decoder_(o, words_.target, p / "decoder", initialiser_) {}

Memory Transformer::read(const Batch& batch, const Training* training) const {
  return decoder_.memory(batch.source_lengths, (*encoder_)(batch, ReturnWeights::no, training).states, training);
}

std::vector<Heads> Transformer::self_attention(const Batch& batch) const {
  EncoderOutput x = (*encoder_)(batch, ReturnWeights::yes);
  for (Heads& of_layer : decoder_.self_attention(decoder_.memory(batch.source_lengths, x.states), batch.targets))
    x.self_attention.push_back(std::move(of_layer));
  return std::move(x.self_attention);
}

Family transformer() {
  Family f{.name = "transformer",
           .author = "vaswani",
           .title = "Vaswani et al.",
           .attention = layers::ScoreKind::qkv,
           .encoder = "transformer"};
  f.uses = {"model",
            "encoder",
            "hidden",
            "layers",
            "heads",
            "feed-forward",
            "norm",
            "positions",
            "self-attention",
            "alignment-by",
            "tie",
            "dropout",
            "initialiser",
            "variational-dropout",
            "known-positions",
            "source-vocabulary",
            "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return Conflicts{{o.attention != layers::ScoreKind::qkv,
                      fmt::format("the model transformer supports only attention qkv, not {0}. Remove --attention {0}",
                                  name_of(*o.attention))},
                     {o.attention_window != layers::WindowKind::global || o.scale || o.coverage,
                      "the Transformer has global, scaled attention, so attention-window, scale and coverage have no "
                      "effect. Remove these options"},
                     {o.tie == Tie::all && o.source_vocabulary != o.target_vocabulary,
                      fmt::format("tie all needs one shared vocabulary, but there are {} source words and {} target "
                                  "words. Use tie target",
                                  o.source_vocabulary, o.target_vocabulary)}} +
           conflicts_of_blocks(o) + conflicts_of_encoder(o, o.hidden);
  };
  f.initialiser = [](const ModelOptions&) { return layers::InitialiserKind::transformer; };
  f.make = make<Transformer>;
  f.defaults = {{"layers", "2"},  {"heads", "4"},  {"hidden", "64"},  {"feed-forward", "256"},
                {"epochs", "30"}, {"lr", "0.004"}, {"warmup", "400"}, {"word-dropout", "0"}};
  return f;
}

}  // namespace softalign::models
