// The shards of a batch (autograd/threads/shards.h) multiply by the same weights. This file packs these weights once
// for all shards. If each of 16 threads packed all weights for itself, the 16 copies would not fit into the processor's
// caches.
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
  // Packs the weights that have changed, if find() was called for them since the last refresh: batches of other lengths
  // need other weights. All threads share this work. The function also forgets weights that no longer exist.
  void refresh();

  // Returns the packed copy of a matrix b, or nullptr if there is no current copy. b is the value of the weight W, a
  // part of this value, or a transpose of it. After a nullptr, the next refresh packs b. Several threads may call find
  // at once.
  const Factor* find(const Var& W, const MatrixView& b) const;

 private:
  struct Known {
    std::weak_ptr<Node> weight;
    const Node* node;
    std::uint64_t version;
    Factor factor;
    mutable bool used = true;  // since the last refresh; several threads set it
  };
  std::vector<Known> known_;
  mutable std::mutex mutex_;  // guards wanted_
  mutable std::vector<Known> wanted_;
};

// After this call, the products of this thread use `weights`. With nullptr, they use no shared weights.
void use_shared_weights(const SharedWeights* weights);

// Returns the packed copy of a matrix b, for a product of `rows` rows with b. b is the value of the weight W, a part of
// this value, or a transpose of it. Returns nothing if this thread uses no shared weights, or if packing b is not
// worthwhile, for example because W is too large. In the first step of a process, there is no packed copy yet, so the
// function packs b itself. The first step of a resumed training therefore rounds like the same step of an uninterrupted
// training.
std::optional<Factor> shared_factor(const Var& W, const MatrixView& b, std::size_t rows);

}  // namespace softalign::autograd
