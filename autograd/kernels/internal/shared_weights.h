// The shards of a batch (autograd/threads/shards.h) multiply by the same weights. This file packs these weights once
// for all shards. If each thread packed all weights for itself, 16 copies would not fit into the processor's caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "autograd/kernels/gemm.h"
#include "autograd/var.h"

namespace softalign::autograd {

class SharedWeights {
 public:
  // Packs the weights that have changed, and the weights for which find() returned nullptr because it did not know
  // them. All threads share this work. The function forgets weights that no longer exist.
  void refresh();

  // Returns the packed b, or nullptr. b is the value of W, a part of it, or a transpose. If the result is nullptr, the
  // next refresh packs b. Several threads may call find at once.
  const Factor* find(const Var& W, const MatrixView& b) const;

 private:
  struct Known {
    std::weak_ptr<Node> weight;
    const Node* node;
    std::uint64_t version;
    Factor factor;
  };
  std::vector<Known> known_;
  mutable std::mutex mutex_;  // guards wanted_
  mutable std::vector<Known> wanted_;
};

// After this call, the products of this thread use `weights`. With nullptr, they use no shared weights.
void use_shared_weights(const SharedWeights* weights);

// Returns the packed b for a product with a left factor of `rows` rows. Returns nothing if this thread uses no shared
// weights, or if packing b is not worthwhile, for example because W is too large. In the first step, b is not packed
// yet, so the function packs b itself. The numbers of a resumed training are therefore rounded as in an uninterrupted
// training.
std::optional<Factor> shared_factor(const Var& W, const MatrixView& b, std::size_t rows);

}  // namespace softalign::autograd
