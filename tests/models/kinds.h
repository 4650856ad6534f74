// Small models of every kind, and sentence pairs of unlike lengths for them, so that there is padding on both sides.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "data/corpus/batches.h"
#include "layers/attention/attention.h"
#include "models/factory.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace kinds {

using namespace models;
using autograd::Params;
using autograd::Shape;

inline const double alone_tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-5;

inline const std::vector<data::EncodedPair> pairs{{{4, 5, 6}, {5, 4}}, {{7}, {6, 6, 5, 1}}, {{6, 4, 1, 5}, {4}}};
inline Batch all_pairs() { return data::make_batch(pairs, {0, 1, 2}); }

// Nats per target word.
inline Var mean_loss(const Forced& forced, const Batch& batch) {
  return sum(forced.losses) * (1 / static_cast<Real>(target_words(batch)));
}

struct Kind {
  std::string name;
  ModelOptions options;
};

// json: those of ModelOptions by name that are not as in `o`.
inline ModelOptions with(ModelOptions o, const nlohmann::json& json) {
  const auto set = [&](const char* name, auto& value) {
    if (json.contains(name)) json.at(name).get_to(value);
    return json.contains(name);
  };
  const std::size_t known =
      set("model", o.model) + set("cell", o.cell) + set("source_vocabulary", o.source_vocabulary) +
      set("target_vocabulary", o.target_vocabulary) + set("embedding", o.embedding) + set("hidden", o.hidden) +
      set("layers", o.layers) + set("residual", o.residual) + set("tie", o.tie) + set("dropout", o.dropout) +
      set("variational_dropout", o.variational_dropout) + set("initialiser", o.initialiser) +
      set("attention", o.attention) + set("scope", o.scope) + set("attention_size", o.attention_size) +
      set("window", o.window) + set("positions", o.positions) + set("heads", o.heads) + set("scale", o.scale) +
      set("coverage", o.coverage) + set("readout", o.readout) + set("readout_kind", o.readout_kind) +
      set("readout_state", o.readout_state) + set("start", o.start) + set("query_word", o.query_word) +
      set("encoder", o.encoder) + set("input_feeding", o.input_feeding) + set("reverse_source", o.reverse_source) +
      set("summary", o.summary);
  REQUIRE(known == json.size());
  return o;
}

inline ModelOptions small() {
  return with({}, {{"source_vocabulary", 8},
                   {"target_vocabulary", 7},
                   {"embedding", 3},
                   {"hidden", 4},
                   {"attention_size", 6},
                   {"readout", 2},
                   {"dropout", 0},
                   {"window", 1}});
}
inline Kind kind(const nlohmann::json& json) { return {json.dump(), with(small(), json)}; }

// Every cell, readout, depth and start of rnnsearch, every form of luong and encdec, and every score in every scope of
// both models that attend.
inline std::vector<Kind> all() {
  std::vector<Kind> result{
      kind({{"cell", "lstm"}}),
      kind({{"readout_kind", "tanh"}, {"layers", 2}, {"start", "both"}}),
      kind({{"cell", "gru"}, {"readout_kind", "tanh"}, {"tie", "target"}, {"readout", 3}}),
      kind({{"cell", "gru"}, {"layers", 2}, {"start", "both"}, {"residual", true}}),
      kind({{"cell", "gru-pytorch"}, {"query_word", true}, {"readout_state", "previous"}, {"coverage", true}}),
      kind({{"model", "luong"}, {"layers", 2}, {"residual", true}, {"input_feeding", false}}),
      kind({{"model", "luong"},
            {"encoder", "unidirectional"},
            {"reverse_source", true},
            {"cell", "gru"},
            {"layers", 3}}),
      kind({{"model", "luong"}, {"tie", "all"}, {"hidden", 3}, {"target_vocabulary", 8}}),
      kind({{"model", "luong"}, {"cell", "gru-pytorch"}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "encdec"}}),
      kind({{"model", "encdec"}, {"layers", 2}, {"residual", true}, {"reverse_source", true}}),
      kind({{"model", "encdec"}, {"cell", "gru"}, {"layers", 2}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "encdec"}, {"summary", "every-step"}, {"cell", "gru"}}),
      kind({{"model", "encdec"}, {"summary", "every-step"}, {"readout_kind", "tanh"}, {"reverse_source", true}})};
  for (const std::string model : {"rnnsearch", "luong"})
    for (const std::string& scope : layers::known_scopes()) {
      std::vector<nlohmann::json> attentions{{{"attention", "additive"}, {"coverage", true}},
                                             {{"attention", "general"}, {"scale", true}},
                                             {{"attention", "location"}, {"positions", 3}},
                                             {{"attention", "qkv"}, {"heads", 2}}};
      for (const std::string& score : layers::known_scores())
        if (score != "dot" || model == "luong") attentions.push_back({{"attention", score}});
      for (nlohmann::json& json : attentions) {
        json["model"] = model;
        json["scope"] = scope;
        result.push_back(kind(json));
      }
    }
  return result;
}

// A model of its own, its parameters drawn anew so that none is zero.
struct Made {
  Params params{Random(1)};
  std::unique_ptr<Seq2Seq> owner;
  const Seq2Seq& model;
  explicit Made(const ModelOptions& o, std::uint64_t seed = 2) : owner(make_model(o, params)), model(*owner) {
    Random random(seed);
    compare::randomise(params, random);
  }
};

}  // namespace kinds
