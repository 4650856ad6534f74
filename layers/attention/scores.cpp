#include "layers/attention/scores.h"

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace softalign::layers {

namespace {

// (S, B, A) -> (S, B*K, d)
Var split_heads(const Var& x, std::size_t K) { return reshape(x, {x.dim(0), x.dim(1) * K, x.dim(2) / K}); }

}  // namespace

Var HeadsScore::keys(const Var& states) const {
  const Real scale = 1 / std::sqrt(static_cast<Real>(W_K.dim(1) / K));
  return split_heads(matmul(states, W_K) * scale, K);
}

Var HeadsScore::values(const Var& states) const { return split_heads(matmul(states, W_V), K); }

Var HeadsScore::operator()(const Var& s, const AttentionMemory& m, const Ids& sentence, const Var&) const {
  const Var q = matmul(s, W_Q);  // (R, A)
  return dot_scores(reshape(q, {q.dim(0) * K, q.dim(1) / K}), m.keys, rows(sentence));
}

Ids HeadsScore::rows(const Ids& sentence) const {
  Ids rows;
  for (const Id b : sentence)
    for (std::size_t k = 0; k < K; ++k) rows.push_back(b * static_cast<Id>(K) + static_cast<Id>(k));
  return rows;
}

}  // namespace softalign::layers
