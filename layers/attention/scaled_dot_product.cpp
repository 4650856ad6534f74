#include "layers/attention/scaled_dot_product.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/softmax.h"

namespace softalign::layers {

namespace {

// sentences returns the sentence of each row of queries.
Ids sentences(const Mask& mask, std::size_t R) { return mask.sentence.empty() ? autograd::all_rows(R) : mask.sentence; }

// visible returns (R*K, T, S), with 1 where a query may attend, and 0 elsewhere.
Array visible(const Mask& mask, const Ids& sentence, std::size_t K, std::size_t T, std::size_t S) {
  Array m = autograd::zeros({sentence.size() * K, T, S});
  for (std::size_t i = 0; i < sentence.size() * K; ++i)
    for (std::size_t t = 0; t < T; ++t) {
      std::size_t n = mask.lengths.empty() ? S : mask.lengths[static_cast<std::size_t>(sentence[i / K])];
      if (mask.causal) n = std::min(n, t + 1 + S - T);
      std::fill_n(m.data() + (i * T + t) * S, n, Real(1));
    }
  return m;
}

// of_rows returns the keys or values for the sentence of each row: (S, B, ..) or (B, S, ..) -> (S, R, ..)
Var of_rows(const Var& x, const Mask& mask, const Ids& sentence) {
  const Var by_sentence = mask.rows_first ? x : transpose(x, {1, 0, 2});
  return transpose(gather(by_sentence, sentence), {1, 0, 2});
}

// Q K' / sqrt(d_k)  (R*K, T, S)
Var scores(const Var& q, const Var& k, std::size_t K, const Mask& mask, const Ids& sentence) {
  const Var Q = apart(q, K), keys = apart(of_rows(k, mask, sentence), K);
  return batched_matmul(Q, transpose(keys, {0, 2, 1})) * (1 / std::sqrt(static_cast<Real>(Q.dim(2))));
}

AttentionOutput composed_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask) {
  const std::size_t T = q.dim(0), R = q.dim(1), S = k.dim(mask.rows_first ? 1 : 0);
  const Ids sentence = sentences(mask, R);
  // softmax(Q K' / sqrt(d_k) + M) V
  const Var A = softmax(scores(q, k, K, mask, sentence), visible(mask, sentence, K, T, S));  // (R*K, T, S)
  const Var O = batched_matmul(A, apart(of_rows(v, mask, sentence), K));                     // (R*K, T, d_v)
  return {reshape(together(O, K), {T, R, v.dim(2)}), reshape(together(A, K), {T * R, K, S})};
}

AttentionOutput fused_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask) {
  const Var A = autograd::fused::attention_weights(q, k, K, mask);
  return {autograd::fused::attention_context(A, v, mask), reshape(A, {A.dim(0) * A.dim(1), K, A.dim(3)})};
}

}  // namespace

AttentionOutput attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask,
                          ReturnWeights return_weights) {
  const auto fused = [&] { return fused_attention(q, k, v, K, mask); };
  return autograd::dispatch<autograd::FusedOp::attention>(
      fused, [&] { return composed_attention(q, k, v, K, mask); },
      [&] {
        if (return_weights == ReturnWeights::yes) return fused();
        return AttentionOutput{autograd::fused::tiled_attention(q, k, v, K, mask), {}};
      });
}

AttentionOutput attention_with_hook(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask,
                                    const AttentionHook& hook) {
  const std::size_t T = q.dim(0), R = q.dim(1), S = k.dim(mask.rows_first ? 1 : 0);
  const Ids sentence = sentences(mask, R);
  const auto by_head = [&](const Var& x) { return reshape(together(x, K), {T * R, K, S}); };
  const Var E = scores(q, k, K, mask, sentence);
  const Array seen = visible(mask, sentence, K, T, S);
  const Var A = softmax(E, seen);
  const Var values = of_rows(v, mask, sentence);  // (S, R, K*d_v)
  const Var mass = autograd::constant(Array({T * R, K, 1}, Real(1)));
  const Var changed =
      hook({by_head(E + log(autograd::constant(seen))), by_head(A), mass, reshape(values, {S, R * K, v.dim(2) / K})});
  if (!(changed.shape() == Shape{T * R, K, S}))
    throw std::invalid_argument(fmt::format("weights {} in place of an attention's ({}, {}, {}); they must be as many",
                                            to_string(changed.shape()), T * R, K, S));
  const Var O =
      batched_matmul(reshape(transpose(reshape(changed, {T, R, K, S}), {1, 2, 0, 3}), {R * K, T, S}), apart(values, K));
  return {reshape(together(O, K), {T, R, v.dim(2)}), changed};
}

}  // namespace softalign::layers
