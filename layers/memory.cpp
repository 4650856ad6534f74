#include "layers/memory.h"

#include <algorithm>

namespace layers {

Memory blank_memory(const std::vector<std::size_t>& lengths, std::size_t steps) {
  Memory memory;
  memory.sentences = lengths.size();
  memory.steps = steps;
  memory.lengths = lengths;
  memory.mask = autograd::zeros({lengths.size(), steps});
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(memory.mask.data() + b * steps, lengths[b], Real(1));
  return memory;
}

}  // namespace layers
