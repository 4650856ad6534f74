#include "autograd/linalg/packed_weights.h"

#include <vector>

namespace autograd::inline SOFTALIGN_PRECISION {

PackedWeights::Known& PackedWeights::find(const Array& weights, std::uint64_t version, const Matrix& b) {
  const std::weak_ptr<const void> memory = weights.memory();
  const auto same_weights = [&](const Known& k) {
    return !k.memory.owner_before(memory) && !memory.owner_before(k.memory);
  };
  std::erase_if(known_, [](const Known& k) { return k.memory.expired(); });
  Known* found = nullptr;
  for (Known& k : known_) {
    if (!same_weights(k)) continue;
    const Matrix& other = k.factor.b;
    if (other.transposed != b.transposed) k.factor.panels = {};  // forward by W, then backward by W': not in turns
    else if (other == b) found = &k;
  }
  if (!found) found = &known_.emplace_back(Known{memory, version, {b, {}}});
  if (found->version != version) *found = {memory, version, {b, {}}};
  return *found;
}

Factor PackedWeights::of(const Array& weights, std::uint64_t version, const Matrix& b, std::size_t rows,
                         std::size_t patience) {
  constexpr std::size_t most = 256;  // rows; BLAS, which works in blocks, is the better one for more
  if (rows < 2 || rows > most) return {b, {}};
  Known& known = find(weights, version, b);
  if (!known.factor.panels.defined() && known.rows >= patience) known.factor = factor(b, rows);
  known.rows += rows;
  return known.factor;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
