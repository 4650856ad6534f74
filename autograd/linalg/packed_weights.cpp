#include "autograd/linalg/packed_weights.h"

#include <algorithm>

#include "autograd/linalg/internal/packed_gemm.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// Forward steps multiply by W, backward ones by W', and rarely both in turns: one of the two is kept.
PackedWeights::Known& PackedWeights::find(const Array& weights, std::uint64_t version, const Matrix& b) {
  const std::weak_ptr<const void> memory = weights.memory();
  const auto same_weights = [&](const Known& k) {
    return !k.memory.owner_before(memory) && !memory.owner_before(k.memory);
  };
  std::erase_if(known_, [&](const Known& k) {
    return k.memory.expired() || (same_weights(k) && (k.version != version || k.factor.b.transposed != b.transposed));
  });
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) {
    return same_weights(k) && k.factor.b.data == b.data && k.factor.b.columns == b.columns;
  });
  if (found != known_.end()) return *found;
  return known_.emplace_back(Known{memory, version, {b, {}}});
}

Factor PackedWeights::of(const Array& weights, std::uint64_t version, const Matrix& b, std::size_t rows) {
  constexpr std::size_t most = 256;  // rows; BLAS, which works in blocks, is the better one for more
  if (rows < 2 || rows > most) return {b, {}};
  Known& known = find(weights, version, b);
  const std::size_t patience = rows <= few_rows ? 64 : 0;  // rows; one sentence's few products would not pay for it
  if (!known.factor.panels.defined() && known.rows > patience) known.factor = factor(b, rows);
  known.rows += rows;
  return known.factor;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
