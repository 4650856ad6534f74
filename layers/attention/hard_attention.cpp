#include "layers/attention/hard_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"

namespace softalign::layers {

Ids largest_places(const Array& alpha) {
  Ids places;
  for (std::size_t r = 0; r < alpha.dim(0); ++r) {
    const Real* row = alpha.data() + r * alpha.dim(1);
    places.push_back(static_cast<autograd::Id>(std::max_element(row, row + alpha.dim(1)) - row));
  }
  return places;
}

AttentionHook hard_attention_hook(const Draw& draw, std::vector<SampledAttention>* sampled) {
  return [draw, sampled](const HookInput& input) {
    const std::size_t R = input.scores.dim(0), K = input.scores.dim(1), S = input.scores.dim(2);
    if (K != 1) throw std::invalid_argument(fmt::format("hard attention: {} heads, but a step sees one place", K));
    const Var alpha = softmax(reshape(input.scores, {R, S}));
    const Ids places = draw(alpha.value());
    Array one_hot = autograd::zeros({R, S}), mean = autograd::zeros({R, 1});
    for (std::size_t r = 0; r < R; ++r) {
      if (places[r] < 0) mean[r] = 1;
      else one_hot[r * S + static_cast<std::size_t>(places[r])] = 1;
    }
    if (sampled) sampled->push_back({alpha, places});
    return reshape(alpha * autograd::constant(mean) + autograd::constant(one_hot), {R, 1, S});
  };
}

}  // namespace softalign::layers
