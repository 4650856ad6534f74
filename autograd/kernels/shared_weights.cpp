#include "autograd/kernels/internal/shared_weights.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <utility>

#include "autograd/hooks.h"
#include "autograd/kernels/internal/packed_gemm.h"
#include "autograd/threads/shards.h"

namespace softalign::autograd {
namespace {

thread_local const SharedWeights* shared_weights = nullptr;

[[maybe_unused]] const bool shards_share_weights = set_weight_sharing({
    .prepare = []() -> const void* {
      thread_local SharedWeights own;
      own.refresh();
      return &own;
    },
    .use = [](const void* weights) { use_shared_weights(static_cast<const SharedWeights*>(weights)); },
});

bool lies_in(const Array& value, const Real* data) {
  const std::less<> before;
  return !before(data, value.data()) && before(data, value.data() + value.size());
}

}  // namespace

void SharedWeights::refresh() {
  const Span span("panels");
  std::move(wanted_.begin(), wanted_.end(), std::back_inserter(known_));
  wanted_.clear();
  std::erase_if(known_, [](const Known& k) {  // a weight may have moved to other memory
    return k.weight.expired() || !lies_in(k.node->value, k.factor.b.data);
  });
  std::vector<Packing> changed;
  for (Known& k : known_) {
    if (!std::exchange(k.used, false)) continue;
    if (k.factor.panels.defined() && k.version == k.node->version) continue;
    if (!k.factor.panels.defined()) k.factor.panels = room_for_panels(k.factor.b);
    k.version = k.node->version;
    changed.push_back({k.factor.b, k.factor.panels});
  }
  pack_together(changed);
}

const Factor* SharedWeights::find(const Var& W, const MatrixView& b) const {
  const Node* const node = W.node().get();
  const auto is_meant = [&](const Known& k) { return k.node == node && k.factor.b == b; };
  const auto found = std::find_if(known_.begin(), known_.end(), is_meant);
  if (found != known_.end()) {
    std::atomic_ref(found->used).store(true, std::memory_order_relaxed);
    return found->version == node->version ? &found->factor : nullptr;
  }
  const std::lock_guard lock(mutex_);
  if (std::none_of(wanted_.begin(), wanted_.end(), is_meant))
    wanted_.push_back({W.node(), node, node->version, {b, {}}, true});
  return nullptr;
}

void use_shared_weights(const SharedWeights* weights) { shared_weights = weights; }

std::optional<Factor> shared_factor(const Var& W, const MatrixView& b, std::size_t rows) {
  if (!shared_weights || rows < 2 || rows > most_packed_rows || !recording()) return {};
  if (W.value().size() > large_weights || b.rows == 0 || b.columns == 0) return {};
  if (!W.node()->needs_grad || !is_leaf(*W.node())) return {};
  const Factor* const known = shared_weights->find(W, b);
  return known ? *known : factor(b, rows);
}

}  // namespace softalign::autograd
