// This file defines the options of the recurrent models, the conflicts between options, and the settings of the
// attention.
#pragma once

#include <cstddef>
#include <string>

#include "layers/attention/attention.h"
#include "models/family.h"
#include "models/options.h"

namespace softalign::models {

// recurrent_options returns the names in `own` and the options of all recurrent models. attending_options also adds the
// options of recurrent models with attention.
std::vector<std::string> recurrent_options(std::vector<std::string> own);
std::vector<std::string> attending_options(std::vector<std::string> own);

Conflicts conflicts_of_attention(const ModelOptions& o);     // for models with attention
Conflicts conflicts_of_no_attention(const ModelOptions& o);  // for models without attention
Conflicts conflicts_of_depth(const ModelOptions& o);
Conflicts conflicts_of_order(const ModelOptions& o, bool both_ways);  // both_ways: the encoder is bidirectional
// Returns the conflicts of the option --tie. With this option, the output layer uses an embedding table as its weights,
// so its number of inputs l must be the size of an embedding. `read` names the option that sets l
// (models/embeddings.h).
Conflicts conflicts_of_tie(const ModelOptions& o, const char* read, std::size_t l);

// Returns the settings of a model's attention. Q is the size of a query, and D is the size of an encoder output.
inline layers::AttentionOptions attention_options(const ModelOptions& o, std::size_t Q, std::size_t D) {
  return {.score = *o.attention,
          .window = o.attention_window,
          .query = Q,
          .memory = D,
          .size = o.attention_size,
          .positions = o.known_positions,
          .half_width = static_cast<autograd::Real>(o.window),
          .heads = o.heads,
          .scale = o.scale,
          .coverage = o.coverage};
}

// Returns the default initialiser of a model. The additive score gets smaller initial weights. With weights of the
// usual size, the model would attend to </s> before it knows any word, and would often keep this habit
// (docs/eos-attention.md).
inline layers::InitialiserKind initialiser_by_score(const ModelOptions& o) {
  return o.attention == layers::ScoreKind::additive || o.attention == layers::ScoreKind::concat
             ? layers::InitialiserKind::luong
             : layers::InitialiserKind::standard;
}

}  // namespace softalign::models
