#include "layers/attention/glimpse.h"

#include <algorithm>

#include "autograd/fused/attention.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

namespace layers {

Glimpse glimpse(const Var& e, const Memory& memory, const Ids& sentence) {
  const Var mask = gather(autograd::constant(memory.mask), sentence);                                 // (R, S)
  const Var alpha = softmax(e, mask.value());                                                          // (R, S)
  return {weighted_sum(alpha, memory.states, sentence, memory.sentences), alpha};
}

Array length_mask(const std::vector<std::size_t>& lengths, std::size_t steps) {
  Array mask = autograd::zeros({lengths.size(), steps});
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(mask.data() + b * steps, lengths[b], Real(1));
  return mask;
}

}  // namespace layers
