// Small models of every kind, and sentence pairs of different lengths, so that both sides have padding.
#pragma once

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "data/corpus/batches.h"
#include "layers/attention/attention.h"
#include "models/encoder.h"
#include "models/named_options.h"
#include "models/old_names.h"
#include "models/pictures/picture_encoder.h"
#include "models/registry.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace kinds {

using namespace models;
using autograd::Params;
using autograd::Shape;

inline const double alone_tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-5;

inline const std::vector<data::EncodedPair> pairs{{{4, 5, 6}, {5, 4}}, {{7}, {6, 6, 5, 1}}, {{6, 4, 1, 5}, {4}}};

// A random picture of the size that `o` names.
inline std::shared_ptr<const data::Picture> picture(const ModelOptions& o, std::uint64_t seed) {
  data::Picture drawn{o.picture_height, o.picture_width, {}};
  Random random(seed);
  for (std::size_t i = 0; i < drawn.height * drawn.width * 3; ++i)
    drawn.rgb.push_back(static_cast<std::uint8_t>(random.below(256)));
  return std::make_shared<const data::Picture>(drawn);
}

// Whether the model answers with one word.
inline bool answers(const ModelOptions& o) {
  return task_of(completed(o)) == Task::questions || task_of(completed(o)) == Task::entailment;
}

// Makes a story of the pair: two to four random sentences, the source as the question, and one target word. A story of
// one sentence would have weights of 1, whose gradients are only rounding errors.
inline data::EncodedPair story(const data::EncodedPair& pair, std::uint64_t seed) {
  Random random(seed);
  data::EncodedPair read{{}, {pair.target.empty() ? data::unk_id : pair.target.front()}, {}, 2 + random.below(3)};
  for (std::size_t i = 0; i < read.places; ++i) {
    for (std::size_t n = 1 + random.below(3); n > 0; --n) read.source.push_back(random.one_of<data::Id>({4, 5, 6, 7}));
    read.source.push_back(data::end_id);
  }
  read.source.insert(read.source.end(), pair.source.begin(), pair.source.end());
  return read;
}

// Cuts the source into two sentences and appends one word to each. The target has one word.
inline data::EncodedPair two_sentences(const data::EncodedPair& pair) {
  const auto half = pair.source.begin() + static_cast<std::ptrdiff_t>(pair.source.size() / 2);
  Ids premise(pair.source.begin(), half), hypothesis(half, pair.source.end());
  premise.push_back(4), hypothesis.push_back(5);
  const std::vector<std::size_t> parts{premise.size(), hypothesis.size()};
  premise.insert(premise.end(), hypothesis.begin(), hypothesis.end());
  return {data::with_ends(premise, parts),
          {pair.target.empty() ? data::unk_id : pair.target.front()},
          {},
          premise.size() + 1};
}

// The pair as a model with these options reads it. Pictures or stories replace the words if the model reads those.
inline data::EncodedPair as_read(const ModelOptions& o, data::EncodedPair pair, std::uint64_t seed) {
  if (task_of(completed(o)) == Task::entailment) return two_sentences(pair);
  if (answers(o)) return story(pair, seed);
  if (!reads_pictures(completed(o))) return pair;
  return {{}, pair.target, {}, picture_cells({o.picture_height, o.picture_width}).cells(), picture(o, seed)};
}
inline std::vector<data::EncodedPair> pairs_of(const ModelOptions& o) {
  std::vector<data::EncodedPair> read;
  for (const data::EncodedPair& pair : pairs) read.push_back(as_read(o, pair, read.size() + 1));
  return read;
}
inline Batch all_pairs(const ModelOptions& o = {}) { return data::make_batch(pairs_of(o), {0, 1, 2}); }

// The mean loss in nats per target word.
inline Var mean_loss(const TeacherForced& forced, const Batch& batch) {
  return sum(forced.losses) * (1 / static_cast<Real>(target_words(batch)));
}

struct Kind {
  std::string name;
  ModelOptions options;
};

inline void set_field(const Option& option, const EnumField& field, const nlohmann::json& value) {
  if (!field.set(value)) throw std::invalid_argument(problem_of(option, value));
}
template <class Value>
void set_field(const Option&, Value* field, const nlohmann::json& value) {
  value.get_to(*field);
}
inline void set(const Option& option, const nlohmann::json& value) {
  std::visit([&](const auto& field) { set_field(option, field, value); }, option.field);
}

inline nlohmann::json json_of(const EnumField& field) { return field.name(); }
template <class Value>
nlohmann::json json_of(const Value* field) {
  return *field;
}

// `json` has the options that differ from `o`, legal or not. Keys may be old names, and may be written with - or _.
// An unknown value of an enumerated option throws std::invalid_argument.
inline ModelOptions with(ModelOptions o, const nlohmann::json& json) {
  nlohmann::json given;
  for (const auto& [key, value] : json.items()) {
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', '-');
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    const Setting now = with_current_names({name, text});
    if (now.value == text) given[now.option] = value;
    else if (now.value == "true" || now.value == "false") given[now.option] = now.value == "true";
    else given[now.option] = now.value;
  }
  std::size_t known = 0;
  for (const Option& option : table(o)) {
    std::vector<std::string> names = other_names(option.name);
    names.push_back(option.name);
    for (const std::string& name : names) {
      if (!given.contains(name)) continue;
      set(option, given.at(name));
      ++known;
    }
  }
  REQUIRE(known == given.size());
  return o;
}

// Other values of every option: all other names, the other truth value, a larger number.
inline std::vector<std::pair<std::string, nlohmann::json>> alternatives(ModelOptions o) {
  std::vector<std::pair<std::string, nlohmann::json>> result;
  for (const Option& option : table(o)) {
    const nlohmann::json value = std::visit([](const auto& field) { return json_of(field); }, option.field);
    for (const std::string& name : option.rule.names)
      if (name != value) result.emplace_back(option.name, name);
    if (value.is_boolean()) result.emplace_back(option.name, !value.get<bool>());
    if (value.is_number()) result.emplace_back(option.name, value.get<double>() / 2 + value.get<int>() + 1);
  }
  return result;
}

inline ModelOptions small() {
  return with({}, {{"source_vocabulary", 8},
                   {"target_vocabulary", 7},
                   {"embedding", 3},
                   {"hidden", 4},
                   {"attention_size", 6},
                   {"readout", 2},
                   {"feed_forward", 5},
                   {"known_positions", 40},
                   {"picture_height", 5},
                   {"picture_width", 8},
                   {"dropout", 0},
                   {"window", 1}});
}
inline Kind kind(const nlohmann::json& json) { return {json.dump(), with(small(), json)}; }

// Every value of every option that a model uses. Each value occurs alone, or with the options that it needs. Both
// models with attention occur with every score and window.
inline std::vector<Kind> all() {
  std::vector<Kind> result{
      kind({{"readout_kind", "tanh"}, {"layers", 2}, {"initial-state", "both"}}),
      kind({{"cell", "gru"}, {"readout_kind", "tanh"}, {"tie", "target"}, {"readout", 3}}),
      kind({{"cell", "gru"}, {"layers", 2}, {"initial-state", "both"}, {"residual", true}}),
      kind({{"cell", "gru-pytorch"}, {"query_word", true}, {"readout_state", "previous"}, {"coverage", true}}),
      kind({{"source_bridging", true}, {"state_dropout", true}}),
      kind({{"model", "luong"}, {"layers", 2}, {"residual", true}, {"input_feeding", false}}),
      kind({{"model", "luong"}, {"unidirectional", true}, {"reverse_source", true}, {"cell", "gru"}, {"layers", 3}}),
      kind({{"model", "luong"}, {"tie", "all"}, {"hidden", 3}, {"target_vocabulary", 8}}),
      kind({{"model", "luong"}, {"cell", "gru-pytorch"}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "encdec"}, {"layers", 2}, {"residual", true}, {"reverse_source", true}}),
      kind({{"model", "encdec"}, {"cell", "gru"}, {"layers", 2}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "encdec"}, {"summary", "every-step"}, {"cell", "gru"}}),
      kind({{"model", "encdec"}, {"summary", "every-step"}, {"readout_kind", "tanh"}, {"reverse_source", true}}),
      kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}, {"tie", "target"}}),
      kind({{"model", "transformer"}, {"layers", 2}, {"norm", "post"}, {"tie", "all"}, {"target_vocabulary", 8}}),
      kind({{"model", "transformer"}, {"heads", 2}, {"positions", "rotary"}}),
      kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}, {"positions", "concatenated"}}),
      kind({{"encoder", "convolution"}, {"layers", 2}, {"positions", "concatenated"}}),
      kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}, {"alignment-by", "weights"}}),
      kind({{"model", "transformer"}, {"alignment-by", "weights"}}),
      kind({{"model", "transformer-lm"}, {"layers", 2}, {"heads", 2}, {"tie", "target"}}),
      kind({{"model", "rnn-lm"}, {"layers", 2}, {"residual", true}, {"cell", "gru"}}),
      kind({{"model", "lstmn-lm"}, {"layers", 2}, {"residual", true}}),
      kind({{"model", "lstmn-lm"}, {"layers", 2}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "memory-network"}, {"tie", "all"}, {"target_vocabulary", 8}, {"hops", 3}, {"hop_relu", true}}),
      kind({{"model", "memory-network"}, {"hops", 1}, {"known_positions", 2}}),
      kind({{"encoder", "transformer"}, {"layers", 2}, {"heads", 2}}),
      kind({{"encoder", "transformer"}, {"self-attention", "delta"}, {"norm", "post"}}),
      kind({{"encoder", "convolution"},
            {"layers", 3},
            {"positions", "learned"},
            {"tie", "all"},
            {"embedding", 4},
            {"readout", 4},
            {"target_vocabulary", 8}}),
      kind({{"model", "luong"}, {"encoder", "transformer"}, {"layers", 2}, {"cell", "gru"}}),
      kind({{"model", "luong"}, {"encoder", "gru"}, {"layers", 2}}),
      kind({{"model", "luong"}, {"encoder", "lstm"}, {"cell", "gru"}, {"unidirectional", true}}),
      kind({{"model", "luong"}, {"encoder", "convolution"}, {"layers", 2}}),
      kind({{"encoder", "lstmn"}, {"layers", 2}, {"initial-state", "both"}, {"residual", true}}),
      kind({{"model", "luong"}, {"encoder", "lstmn"}, {"layers", 2}, {"cell", "gru"}}),
      kind({{"model", "luong"}, {"encoder", "lstmn"}, {"unidirectional", true}, {"reverse_source", true}}),
      kind({{"model", "lstmn"}, {"layers", 2}, {"residual", true}, {"fusion", "deep"}}),
      kind({{"model", "lstmn"}, {"fusion", "deep"}, {"coverage", true}, {"attention-window", "local-p"}}),
      kind({{"model", "lstmn"}, {"fusion", "deep"}, {"attention", "general"}, {"tie", "target"}, {"hidden", 3}}),
      kind({{"model", "lstmn"}, {"attention", "qkv"}, {"heads", 2}}),
      kind({{"model", "lstmn"}, {"encoder", "gru"}, {"attention-window", "local-m"}}),
      kind({{"model", "transformer"},
            {"encoder", "lstm"},
            {"layers", 2},
            {"residual", true},
            {"positions", "sinusoidal"}}),
      kind({{"model", "transformer"}, {"encoder", "convolution"}, {"layers", 2}, {"positions", "none"}})};
  for (const std::string& model : known_models()) {
    result.push_back(kind({{"model", model}}));
    const ModelOptions o = result.back().options;
    const std::vector<std::string> uses = uses_of(o);
    for (const auto& [name, value] : alternatives(o)) {
      const bool used = std::find(uses.begin(), uses.end(), name) != uses.end();
      if (!used || value.is_number() || name == "model" || name == "attention" || name == "attention-window") continue;
      nlohmann::json options{{"model", model}, {name, value}};
      if (value == "delta")
        options["hidden"] = 12;  // phi of 4 numbers mostly has a single nonzero number, which is 1 for
                                 // any key, so its gradients are only rounding errors
      const Kind its = kind(options);
      if (problem_of(its.options).empty()) result.push_back(its);
    }
  }
  for (const std::string model : {"rnnsearch", "luong"})
    for (const std::string& scope : layers::all_names<layers::WindowKind>()) {
      std::vector<nlohmann::json> attentions{{{"attention", "additive"}, {"coverage", true}},
                                             {{"attention", "general"}, {"scale", true}},
                                             {{"attention", "location"}, {"known-positions", 3}},
                                             {{"attention", "qkv"}, {"heads", 2}}};
      for (const std::string& score : layers::all_names<layers::ScoreKind>())
        if (score != "none" && (score != "dot" || model == "luong")) attentions.push_back({{"attention", score}});
      for (nlohmann::json& json : attentions) {
        json["model"] = model;
        json["attention-window"] = scope;
        result.push_back(kind(json));
      }
    }
  return result;
}

inline bool attends(const ModelOptions& o) { return completed(o).attention != layers::ScoreKind::none; }

// The number of attentions to the source that report each head. It is 0 if the alignment is the weights of the only
// head.
inline std::size_t attentions_with_heads(const ModelOptions& o) {
  const bool transformer = o.model == "transformer";
  const std::size_t attentions = transformer ? o.layers : o.model == "memory-network" ? o.hops : 1;
  const std::size_t heads =
      // With another score, `heads` belongs to the encoder.
      completed(o).attention == layers::ScoreKind::qkv ? o.heads : 1;
  return attentions * heads > 1 || (transformer && o.alignment_by == AlignmentBy::norms) ? attentions : 0;
}

// A model whose parameters are all random, so that none is zero.
struct Made {
  Params params{Random(1)};
  std::unique_ptr<Seq2Seq> owner;
  const Seq2Seq& model;
  explicit Made(const ModelOptions& o, std::uint64_t seed = 2) : owner(make_model(o, params)), model(*owner) {
    Random random(seed);
    // Larger weights would saturate the layers after the sums over many pixels.
    compare::randomise(params, random, reads_pictures(completed(o)) ? 0.25 : 0.5);
  }
};

}  // namespace kinds
