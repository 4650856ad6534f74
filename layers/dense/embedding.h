// Embedding is a table with one learned vector per word. docs/notation.md explains the notation.
#pragma once

#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"
#include "layers/init.h"

namespace softalign::layers {

// y_n = E[id_n]          ids (N) -> (N, E), or (N/B, B, E) for N/B steps of B sentences
struct Embedding {
  Var E;                  // (V, E)
  Embedding() = default;  // no words
  Embedding(const Params& p, std::size_t V, std::size_t width, const Initialiser& init)
      : E(p.declare("E", {V, width}, init)) {}
  Var operator()(const Ids& ids) const { return gather(E, ids); }
  Var operator()(const Ids& ids, std::size_t B) const { return reshape(gather(E, ids), {ids.size() / B, B, E.dim(1)}); }
};

}  // namespace softalign::layers
