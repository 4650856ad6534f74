#include "models/encoder.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "layers/word_mask.h"

namespace softalign::models {

Var mean_over_words(const Var& states, const std::vector<std::size_t>& lengths) {
  const std::size_t B = lengths.size();
  autograd::Array share = layers::word_mask(states.dim(0), lengths);  // (S, B, 1)
  for (std::size_t i = 0; i < share.size(); ++i) share[i] /= static_cast<Real>(lengths[i % B]);
  return sum(states * autograd::constant(std::move(share)), {0});
}

}  // namespace softalign::models
