// From the options of a model to those of its attention, and to how it begins for that.
#pragma once

#include <string>

#include "layers/attention/attention.h"
#include "models/options.h"

namespace softalign::models {

// Q and D: the sizes of a query and of a source state.
inline layers::AttentionOptions attention_options(const ModelOptions& o, std::size_t Q, std::size_t D) {
  return {.score = o.attention,
          .scope = o.scope,
          .query = Q,
          .memory = D,
          .size = o.attention_size,
          .positions = o.known_positions,
          .window = static_cast<autograd::Real>(o.window),
          .heads = o.heads,
          .scale = o.scale,
          .coverage = o.coverage};
}

// How a model begins by default: of the default size the additive score would choose </s> before a word is known, and
// much of it stays there (docs/end-mark.md).
inline std::string initialiser_by_score(const ModelOptions& o) {
  return o.attention == "additive" || o.attention == "concat" ? "luong" : "default";
}

}  // namespace softalign::models
