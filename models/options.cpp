// Which options go together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "layers/attention/attention.h"
#include "models/factory.h"

namespace models {
namespace {

struct Rule {
  bool broken;
  std::string problem;
};

std::string first_broken(const std::vector<Rule>& rules) {
  const auto found = std::find_if(rules.begin(), rules.end(), [](const Rule& rule) { return rule.broken; });
  return found == rules.end() ? "" : found->problem;
}

Rule known(const char* what, const std::string& name, const std::vector<std::string>& names) {
  return {std::find(names.begin(), names.end(), name) == names.end(),
          fmt::format("unknown {} '{}'; known are: {}", what, name, fmt::join(names, ", "))};
}

Rule positive(const char* what, std::size_t size) {
  return {size == 0, fmt::format("{} is 0; at least 1 expected", what)};
}

std::string problem_of_values(const ModelOptions& o) {
  return first_broken({
      known("model", o.model, known_models()),
      known("attention", o.attention, known_attentions()),
      known("scope", o.scope, layers::known_scopes()),
      known("tie", o.tie, {"none", "target", "all"}),
      known("encoder", o.encoder, {"bidirectional", "unidirectional"}),
      known("summary", o.summary, {"once", "every-step"}),
      known("readout state", o.readout_state, {"current", "previous"}),
      positive("source vocabulary", o.source_vocabulary),
      positive("target vocabulary", o.target_vocabulary),
      positive("embedding", o.embedding),
      positive("hidden", o.hidden),
      positive("attention size", o.attention_size),
      positive("positions", o.positions),
      positive("heads", o.heads),
      positive("readout", o.readout),
      positive("layers", o.layers),
      {!(o.dropout >= 0 && o.dropout < 1), fmt::format("dropout is {}; a number in [0, 1) expected", o.dropout)},
      {!(o.window >= 1), fmt::format("the window is {}; at least 1 word expected", o.window)},
  });
}

std::string problem_of_attention(const ModelOptions& o) {
  const bool additive = o.attention == "additive" || o.attention == "concat";
  const bool product = o.attention == "dot" || o.attention == "general";
  return first_broken({
      {o.attention == "none", fmt::format("{} attends; a model without attention is encdec", o.model)},
      {o.attention == "dot" && o.model == "rnnsearch",
       "dot compares numbers one by one, but rnnsearch asks with a state of one size and has source states of another "
       "(both directions side by side); take general, or luong"},
      {o.scale && !product,
       fmt::format("scale divides the products of dot and general; {} has none ({})", o.attention,
                   o.attention == "qkv" ? "qkv is scaled by its own sizes already" : "its scores do not grow with H")},
      {o.heads > 1 && o.attention != "qkv", fmt::format("{} heads; only qkv has several", o.heads)},
      {o.attention == "qkv" && o.attention_size % o.heads != 0,
       fmt::format("{} heads do not divide an attention size of {}", o.heads, o.attention_size)},
      {o.coverage && !additive,
       fmt::format("coverage enters inside the tanh of additive and concat; {} has none", o.attention)},
  });
}

std::string problem_of_encdec(const ModelOptions& o) {
  return first_broken({
      {o.attention != "none",
       fmt::format("encdec has no attention, so not {} either; take rnnsearch or luong", o.attention)},
      {o.scope != "global" || o.scale || o.coverage || o.heads > 1,
       "encdec has no attention: scope, scale, coverage and heads have nothing to act on"},
      {o.summary == "every-step" && o.layers > 1,
       "the decoder of Cho et al. has one layer; take summary once for deeper ones"},
  });
}

std::string problem_of_depth(const ModelOptions& o) {
  const bool both_ways = o.model == "rnnsearch" || (o.model == "luong" && o.encoder == "bidirectional");
  const std::size_t written =
      o.model == "rnnsearch" || (o.model == "encdec" && o.summary == "every-step") ? o.readout : o.hidden;
  return first_broken({
      {o.residual && o.layers < 2, "residual connections lead past a layer above the first; there is one layer"},
      {o.reverse_source && both_ways,
       "a bidirectional encoder reads the source both ways; reversing it changes nothing"},
      {o.tie != "none" && written != o.embedding,
       fmt::format("tied embeddings: the output layer reads {} numbers ({}), an embedding has {}; make them equal",
                   written, written == o.readout ? "readout" : "hidden", o.embedding)},
      {o.tie == "all" && o.source_vocabulary != o.target_vocabulary,
       fmt::format("tie all: {} source and {} target words; one shared vocabulary expected", o.source_vocabulary,
                   o.target_vocabulary)},
  });
}

}  // namespace

std::string problem_of(const ModelOptions& options) {
  const ModelOptions o = completed(options);
  std::string problem = problem_of_values(o);
  if (problem.empty()) problem = o.model == "encdec" ? problem_of_encdec(o) : problem_of_attention(o);
  return problem.empty() ? problem_of_depth(o) : problem;
}

}  // namespace models
