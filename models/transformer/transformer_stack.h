// These functions use the options to build the parts that the encoder and the decoder of a Transformer have in common.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "models/batch_weights.h"
#include "models/family.h"

namespace softalign::models {

inline layers::BlockOptions block_options(const ModelOptions& o) {
  return {.self = {.kind = o.self_attention,
                   .width = o.hidden,
                   .heads = o.heads,
                   .rotary = o.positions == layers::PositionKind::rotary,
                   .max_positions = o.known_positions},
          .feed_forward = o.feed_forward,
          .norm = o.norm,
          .dropout = {o.dropout, o.variational_dropout}};
}

template <class Block>
std::vector<Block> blocks(const ModelOptions& o, const autograd::Params& p, const layers::InitialiserConfig& init) {
  std::vector<Block> all;
  for (std::size_t l = 0; l < o.layers; ++l)
    all.emplace_back(p / ("layer" + std::to_string(l)), block_options(o), init);
  return all;
}

// Returns the layer norm after the last layer, which a stack with pre-norm needs: Xiong et al. 2020, table 1.
inline std::optional<layers::LayerNorm> last_norm(const ModelOptions& o, const autograd::Params& p) {
  if (o.norm == layers::Norm::post) return {};
  return layers::LayerNorm(p / "norm", o.hidden);
}

// Returns the conflicts between the options of a Transformer. For example, odd_sinusoids reports an odd hidden size
// with sinusoidal positions.
Conflicts conflicts_of_blocks(const ModelOptions& o);
Conflict odd_sinusoids(const ModelOptions& o);

// Returns sqrt(d) x: Vaswani et al. 2017, section 3.4
inline Var scaled(Var x) {
  const auto d = static_cast<autograd::Real>(x.shape().back());
  return std::move(x) * std::sqrt(d);
}

// Returns the attention weights of the layers. Layers without attention weights are left out.
inline std::vector<Heads> heads_of(const std::vector<Var>& layers, data::HeadKind kind) {
  std::vector<Heads> all;
  for (std::size_t l = 0; l < layers.size(); ++l)
    if (layers[l].defined()) all.push_back({l, kind, layers[l]});
  return all;
}

}  // namespace softalign::models
