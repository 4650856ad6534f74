#include <cmath>

#include "layers/attention/scores.h"

namespace layers {

namespace {

Var split_heads(const Var& x, std::size_t K) { return reshape(x, {x.dim(0) * K, x.dim(1) / K}); }  // (N, A) -> (N*K, d)

}  // namespace

Var HeadsScore::keys(const Var& states) const {
  const Real scale = 1 / std::sqrt(static_cast<Real>(W_K.dim(1) / K));
  return split_heads(matmul(states, W_K) * scale, K);
}

Var HeadsScore::values(const Var& states) const { return split_heads(matmul(states, W_V), K); }

Var HeadsScore::operator()(const Var& s, const Memory& m, const Ids& sentence, const Var&) const {
  return dot_scores(split_heads(matmul(s, W_Q), K), m.keys, rows(sentence), m.sentences * K);
}

Ids HeadsScore::rows(const Ids& sentence) const {
  Ids rows;
  for (const Id b : sentence)
    for (std::size_t k = 0; k < K; ++k) rows.push_back(b * static_cast<Id>(K) + static_cast<Id>(k));
  return rows;
}

}  // namespace layers
