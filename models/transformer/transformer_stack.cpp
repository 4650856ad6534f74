#include "models/transformer/transformer_stack.h"

#include <fmt/format.h>

namespace softalign::models {

Conflict odd_sinusoids(const ModelOptions& o) {
  const bool sinusoids =
      o.positions == layers::PositionKind::sinusoidal || o.positions == layers::PositionKind::concatenated;
  return {sinusoids && o.hidden % 2 != 0,
          fmt::format("positions {} needs an even hidden size, and {} is odd. Change hidden",
                      autograd::name_of(*o.positions), o.hidden)};
}

Conflicts conflicts_of_blocks(const ModelOptions& o) {
  return {{o.hidden % o.heads != 0,
           fmt::format("{} heads cannot divide a hidden size of {} equally. Use a multiple of the number of heads",
                       o.heads, o.hidden)},
          odd_sinusoids(o),
          {(o.positions == layers::PositionKind::rotary) && o.self_attention != layers::SelfAttentionKind::softmax,
           fmt::format("positions rotary needs self-attention softmax, but the self-attention is {}. Use --positions "
                       "sinusoidal",
                       name_of(o.self_attention))},
          {(o.positions == layers::PositionKind::rotary) && o.hidden / o.heads % 2 != 0,
           fmt::format("positions rotary needs heads of even size, but {} heads with a hidden size of {} have an odd "
                       "size. Change heads or hidden",
                       o.heads, o.hidden)}};
}

}  // namespace softalign::models
