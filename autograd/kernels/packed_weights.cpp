#include "autograd/kernels/packed_weights.h"

#include "autograd/kernels/int8_weights.h"

#include <vector>

namespace softalign::autograd {

namespace {

bool same(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

// Laid out only for as long as they are multiplied by: forwards by W, then backwards by W', not in turns. Smaller ones
// wait for the next shard of the batch.
constexpr std::size_t large = std::size_t{1} << 20;

}  // namespace

void PackedWeights::forget(const Array& weights) {
  if (weights.size() <= large) return;
  std::erase_if(known_, [memory = weights.memory()](const Known& k) { return same(k.memory, memory); });
}

void PackedWeights::forget_large() {
  std::erase_if(known_, [](const Known& k) { return k.numbers > large; });
}

PackedWeights::Known& PackedWeights::find(const Array& weights, std::uint64_t version, const Matrix& b) {
  const std::weak_ptr<const void> memory = weights.memory();
  std::erase_if(known_, [](const Known& k) { return k.memory.expired(); });
  Known* found = nullptr;
  for (Known& k : known_) {
    if (!same(k.memory, memory)) continue;
    const Matrix& other = k.factor.b;
    if (other == b) found = &k;
    else if (other.transposed != b.transposed && weights.size() > large) k.factor.panels = {};
  }
  if (!found) found = &known_.emplace_back(Known{memory, version, weights.size(), {b, {}}});
  if (found->version != version) *found = {memory, version, weights.size(), {b, {}}};
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

Factor PackedWeights::integers_of(const Array& weights, std::uint64_t version, const Matrix& b) {
  Factor& factor = find(weights, version, b).factor;
  if (!factor.integers) factor.integers = std::make_shared<const Int8Weights>(b);
  return factor;
}

PackedWeights& packed_weights() {
  thread_local PackedWeights own;
  return own;
}

}  // namespace softalign::autograd
