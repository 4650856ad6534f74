#include "models/transformer/transformer_stack.h"

#include <fmt/format.h>

namespace softalign::models {

Conflict odd_sinusoids(const ModelOptions& o) {
  return {o.positions == "sinusoidal" && o.hidden % 2 != 0,
          fmt::format("sinusoids come in pairs of sine and cosine; a hidden size of {} is odd", o.hidden)};
}

Conflicts conflicts_of_blocks(const ModelOptions& o) {
  return {
      {o.hidden % o.heads != 0, fmt::format("{} heads do not divide a hidden size of {}", o.heads, o.hidden)},
      odd_sinusoids(o),
      {layers::Positions::is_rotary(o.positions) && o.self_attention != "softmax",
       fmt::format("rotary positions rotate the queries and keys of softmax, and self-attention {} has no softmax "
                   "of them; take sinusoidal positions",
                   o.self_attention)},
      {layers::Positions::is_rotary(o.positions) && o.hidden / o.heads % 2 != 0,
       fmt::format("rotary positions rotate pairs of numbers; {} heads of a hidden size of {} have an odd number each",
                   o.heads, o.hidden)}};
}

}  // namespace softalign::models
