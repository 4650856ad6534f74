#include "layers/attention/memory.h"

namespace layers {

Memory blank_memory(const std::vector<std::size_t>& lengths, std::size_t steps) {
  Memory memory;
  memory.sentences = lengths.size();
  memory.steps = steps;
  memory.lengths = lengths;
  return memory;
}

}  // namespace layers
