#include "models/language_models/lstmn_language_model.h"

#include <fmt/format.h>

#include <utility>

#include "layers/recurrent/lstmn.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/recurrent/recurrent_options.h"

namespace softalign::models {

LstmnDecoder::LstmnDecoder(const ModelOptions& o, const autograd::Params& p, const layers::InitialiserConfig& init)
    : residual_(o.residual),
      dropout_{o.dropout, o.variational_dropout},
      words_(target_embedding(o, o.embedding, p, init), o, o.hidden, p, init) {
  for (std::size_t l = 0; l < o.layers; ++l)
    layers_.emplace_back(p / fmt::format("layer{}", l), l == 0 ? o.embedding : o.hidden, o.hidden, o.attention_size,
                         init);
}

State LstmnDecoder::start(const Memory& memory) const {
  Hidden first;
  for (const layers::Lstmn& layer : layers_) first.layers.push_back(layer.start(memory.size()));
  return {first, each_once(memory)};
}

Step LstmnDecoder::step(const Ids& previous, const State& state, const Memory&) const {
  Hidden now = state.as<Hidden>();
  Var x = words_(previous);  // (R, E)
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    auto [next, weights, cache] = layers_[l].step(layers_[l].terms(x), std::move(now.layers[l]));
    x = passed_up(l, next.h, x);
    now.layers[l] = std::move(cache);
  }
  return {words_.logits(x), {std::move(now), state.sentence}, {}};
}

LstmnDecoder::Layers LstmnDecoder::read(const Targets& targets, std::size_t B, Random* random) const {
  Layers all{.h = words_(targets.in, B), .self_attention = {}};
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Var x = dropout_(all.h, random);
    layers::Lstmn::Sequence read = layers_[l].run(x);
    all.h = passed_up(l, read.h, x);
    all.self_attention.push_back(std::move(read.weights));
  }
  return all;
}

TeacherForced LstmnDecoder::teacher_forced(const Memory& memory, const Targets& targets,
                                           const Training* training) const {
  Random* const random = randomness(training);
  const Var h = read(targets, memory.size(), random).h;
  return {words_.losses(dropout_(h, random), targets.out, training), {}};
}

std::vector<Heads> LstmnDecoder::self_attention(const Targets& targets, std::size_t B) const {
  std::vector<Heads> heads;
  for (const std::vector<Var>& weights : read(targets, B, nullptr).self_attention)
    heads.push_back({heads.size(), data::HeadKind::decoder_self,
                     layers::lstmn_weights(weights, autograd::all_rows(targets.in.size()), B)});
  return heads;
}

Family lstmn_language_model() {
  Family f{.name = "lstmn-lm", .author = "cheng", .title = "language model", .attention = layers::ScoreKind::none};
  f.task = Task::language_model;
  f.uses = {"model",   "embedding",           "hidden",      "attention-size",   "layers", "residual", "tie",
            "dropout", "variational-dropout", "initialiser", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_no_source(o) + conflicts_of_no_attention(o) + conflicts_of_depth(o) +
           conflicts_of_tie(o, "hidden", o.hidden);
  };
  f.make = make<LstmnLanguageModel>;
  // Word dropout would remove the words that the model has to repeat.
  f.defaults = {{"embedding", "24"}, {"hidden", "48"}, {"attention-size", "32"}, {"epochs", "24"},
                {"lr", "0.005"},     {"dropout", "0"}, {"word-dropout", "0"},    {"label-smoothing", "0"}};
  return f;
}

}  // namespace softalign::models
