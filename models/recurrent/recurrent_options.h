// This file has the options of the recurrent families: their names, the conflicts between them, and the options of the
// attention that follow from them.
#pragma once

#include <cstddef>
#include <string>

#include "layers/attention/attention.h"
#include "models/options.h"
#include "models/family.h"

namespace softalign::models {

// Returns `own` and the options of every recurrent family; the second function adds those of families with attention.
std::vector<std::string> recurrent_options(std::vector<std::string> own);
std::vector<std::string> attending_options(std::vector<std::string> own);

Conflicts conflicts_of_attention(const ModelOptions& o);     // of a family that attends
Conflicts conflicts_of_no_attention(const ModelOptions& o);  // of one that does not
Conflicts conflicts_of_depth(const ModelOptions& o);
Conflicts conflicts_of_order(const ModelOptions& o, bool both_ways);  // both_ways: so the encoder reads the source
// Returns the conflicts of --tie. The output layer reads l numbers, the size that the option `read` states
// (models/embeddings.h).
Conflicts conflicts_of_tie(const ModelOptions& o, const char* read, std::size_t l);

// Returns the options of a model's attention. Q is the size of a query, and D the size of a source state.
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

// Returns the default initialiser. With initial weights of the usual size, the additive score would choose </s> before
// the model knows any word, and much of the attention would stay there (docs/eos-attention.md).
inline layers::InitialiserKind initialiser_by_score(const ModelOptions& o) {
  return o.attention == layers::ScoreKind::additive || o.attention == layers::ScoreKind::concat
             ? layers::InitialiserKind::luong
             : layers::InitialiserKind::standard;
}

}  // namespace softalign::models
