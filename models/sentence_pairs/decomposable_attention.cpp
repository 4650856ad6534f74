#include "models/sentence_pairs/decomposable_attention.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"

namespace softalign::models {

namespace {

using autograd::Array;
using autograd::Real;

constexpr std::size_t farthest = 11;  // the distance that all farther ones share

// 1 where a sentence has a word: (B, 1, n)
Array present(const std::vector<std::size_t>& lengths, std::size_t n) {
  Array mask = autograd::zeros({lengths.size(), 1, n});
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(mask.data() + b * n, lengths[b], Real(1));
  return mask;
}

// x (B, n, h) where there are words, else 0
Var of_words(const Var& x, const std::vector<std::size_t>& lengths) {
  return x * autograd::constant(present(lengths, x.dim(1)).reshaped({x.dim(0), x.dim(1), 1}));
}

Ids distances(std::size_t n) {
  Ids all;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all.push_back(static_cast<autograd::Id>(std::min(i > j ? i - j : j - i, farthest)));
  return all;
}

Var transposed(const Var& x) { return transpose(x, {0, 2, 1}); }

}  // namespace

DecomposableAttention::TwoLayers::TwoLayers(const autograd::Params& p, std::size_t in, std::size_t hidden,
                                            const layers::Scheme& init)
    : first(p / "first", in, hidden, init.input(1)), second(p / "second", hidden, hidden, init.input(1)) {}

Var DecomposableAttention::TwoLayers::operator()(const Var& x) const { return relu(second(relu(first(x)))); }

DecomposableAttention::DecomposableAttention(const Options& o, const autograd::Params& p)
    : options_(o),
      words_(p / "words", o.words, o.width, layers::normal_by_width()),
      F_(p / "F", o.intra ? 2 * o.width : o.width, o.hidden, scheme_),
      G_(p / "G", (o.intra ? 4 : 2) * o.width, o.hidden, scheme_),
      H_(p / "H", 2 * o.hidden, o.hidden, scheme_) {
  if (o.labels > 0) output_.emplace(p / "output", o.hidden, o.labels, scheme_.input(1));
  if (!o.intra) return;
  F_i_.emplace(p / "F_i", o.width, o.hidden, scheme_);
  distances_.emplace(p / "distances", farthest + 1, 1, layers::zeros());
}

DecomposableAttention::Sentence DecomposableAttention::read(const Ids& words,
                                                            const std::vector<std::size_t>& lengths) const {
  const Var a = transpose(words_(words, lengths.size()), {1, 0, 2});  // (B, n, d)
  if (!options_.intra) return {a, {}};
  const std::size_t n = a.dim(1);
  const Var F = (*F_i_)(a), d = reshape((*distances_)(distances(n)), {1, n, n});
  const Var f = batched_matmul(F, transposed(F)) + d;  // (B, n, n)
  const Var among = softmax(f, present(lengths, n));
  return {autograd::concat({a, batched_matmul(among, a)}, 2), among};
}

DecomposableAttention::Output DecomposableAttention::operator()(const SentencePairs& pairs) const {
  const auto [a, among_a] = read(pairs.a, pairs.a_lengths);
  const auto [b, among_b] = read(pairs.b, pairs.b_lengths);
  Var e = batched_matmul(F_(a), transposed(F_(b)));  // (B, m, n)
  if (options_.uniform) e = e * Real(0);
  const Var of_a = softmax(e, present(pairs.b_lengths, pairs.n));
  const Var of_b = softmax(transposed(e), present(pairs.a_lengths, pairs.m));
  const Var beta = batched_matmul(of_a, b), alpha = batched_matmul(of_b, a);
  const Var v1 = of_words(G_(autograd::concat({a, beta}, 2)), pairs.a_lengths);
  const Var v2 = of_words(G_(autograd::concat({b, alpha}, 2)), pairs.b_lengths);
  const Var y = H_(autograd::concat({sum(v1, {1}), sum(v2, {1})}, 1));
  return {output_ ? (*output_)(y) : Var(), of_a, of_b, y, v1, v2, among_a, among_b};
}

}  // namespace softalign::models
