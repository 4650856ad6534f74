#include "models/recurrent/recurrent_options.h"

#include <fmt/format.h>

namespace softalign::models {

std::vector<std::string> recurrent_options(std::vector<std::string> own) {
  own.insert(own.end(), {"model", "cell", "embedding", "hidden", "layers", "residual", "tie", "dropout",
                         "variational-dropout", "initialiser", "source-vocabulary", "target-vocabulary"});
  return own;
}

std::vector<std::string> attending_options(std::vector<std::string> own) {
  own.insert(own.end(), {"attention", "attention-window", "window", "scale", "heads", "coverage", "attention-size",
                         "known-positions"});
  return recurrent_options(std::move(own));
}

Conflicts conflicts_of_attention(const ModelOptions& o) {
  const bool additive = o.attention == layers::ScoreKind::additive || o.attention == layers::ScoreKind::concat;
  const bool product = o.attention == layers::ScoreKind::dot || o.attention == layers::ScoreKind::general;
  return {
      {o.attention == layers::ScoreKind::none,
       fmt::format("attention none is not possible, because the model {} needs "
                   "attention. For a model without attention, use --model encdec",
                   o.model)},
      {o.scale && !product,
       fmt::format(
           "scale needs attention dot or general, and the attention is {} ({}). Remove --scale", name_of(*o.attention),
           o.attention == layers::ScoreKind::qkv ? "qkv already scales its scores" : "its scores do not grow with H")},
      {o.heads > 1 && o.attention != layers::ScoreKind::qkv && o.encoder != "transformer",
       fmt::format(
           "heads {}: only attention qkv and Transformer layers have several heads. Use --attention qkv, or one head",
           o.heads)},
      {o.attention == layers::ScoreKind::qkv && o.attention_size % o.heads != 0,
       fmt::format("{} heads cannot divide an attention size of {} equally. Use a multiple of the number of heads",
                   o.heads, o.attention_size)},
      {o.coverage && !additive,
       fmt::format(
           "coverage needs attention additive or concat, but the attention is {}. Change one of the two options",
           name_of(*o.attention))},
  };
}

Conflicts conflicts_of_no_attention(const ModelOptions& o) {
  return {
      {o.attention != layers::ScoreKind::none,
       fmt::format("model {} has no attention, so attention {} is impossible; use --model rnnsearch or luong", o.model,
                   name_of(*o.attention))},
      {o.attention_window != layers::WindowKind::global || o.scale || o.coverage || o.heads > 1,
       fmt::format("the model {} has no attention, so attention-window, scale, coverage and heads have no effect. "
                   "Remove these options",
                   o.model)},
  };
}

Conflicts conflicts_of_depth(const ModelOptions& o) {
  return {{o.residual && o.layers < 2, "residual needs at least two layers. Use --layers 2, or remove --residual"}};
}

Conflicts conflicts_of_order(const ModelOptions& o, bool both_ways) {
  return {{o.reverse_source && both_ways,
           "a bidirectional encoder reads the source in both directions, so reverse-source has no effect. Remove "
           "reverse-source"}};
}

Conflicts conflicts_of_tie(const ModelOptions& o, const char* read, std::size_t l) {
  return {
      {o.tie != Tie::none && l != o.embedding,
       fmt::format("tie: the output layer reads {} numbers ({}), but an embedding has {}. Make the two sizes equal", l,
                   read, o.embedding)},
      {o.tie == Tie::all && o.source_vocabulary != o.target_vocabulary,
       fmt::format(
           "tie all needs one shared vocabulary, but there are {} source words and {} target words. Use tie target",
           o.source_vocabulary, o.target_vocabulary)},
  };
}

}  // namespace softalign::models
