// A score e_ij says how well an encoder output h_j fits a query, for example the decoder state s_i. This file has
// additive scores (Bahdanau et al. 2015), dot, general and location scores (Luong et al. 2015), and scaled products in
// several heads (Vaswani et al. 2017). docs/notation.md explains the notation.
//
// A score is a struct with its parameters. Its function keys(states) computes the keys once per sentence. Its
// operator() returns the scores (R, S) of R rows for S source positions. The argument `sentence` has the sentence that
// each row attends to.
#pragma once

#include <cmath>
#include <variant>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "layers/attention/memory.h"
#include "layers/init.h"

namespace softalign::layers {

// --- Additive scores ---
// Returns the additive scores e_ij (R, S) of R queries q (R, A) and of the keys k (S, B, A) of B sentences. Each query
// and each key has A numbers. Query i is compared with the S keys of sentence sentence[i]. v_a (A) is learned. cov (R,
// S) has the earlier attention on each word (coverage), and w_c (A) weights it. Without coverage, cov and w_c are
// undefined, and their term is missing. The derivative of the fused version is in autograd/kernels/fused/scores.cpp.
// e_ij = v_a' tanh(q_i + k_j + w_c cov_ij)
inline Var additive_scores(const Var& q, const Var& k, const Var& v_a, const Var& cov, const Var& w_c,
                           const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::additive_scores>(
      [&] { return autograd::fused::additive_scores(q, k, v_a, cov, w_c, sentence); },
      [&] {
        Var inside = reshape(q, {q.dim(0), 1, q.dim(1)}) + of_rows(k, sentence);  // (R, S, A)
        if (cov.defined()) inside = inside + reshape(cov, {cov.dim(0), cov.dim(1), 1}) * w_c;
        return sum(v_a * tanh(inside), {2});
      });
}

// AdditiveScore learns the parameters v_a, W_a and U_a of an additive score of a decoder state s and an encoder output
// h_j:
// e_ij = v_a' tanh(W_a s_{i-1} + U_a h_j)             Bahdanau et al. 2015, section 3.1 and appendix A.1.2
// Luong et al. call it `concat` and use s_i. The function is the same, because W_a [s; h] = W s + U h:
// v_a' tanh(W_a [s_i; h_j])                           Luong et al. 2015, eq. 8
// With coverage cov_ij, w_c cov_ij is added inside the tanh:  Tu et al. 2016, eq. 8; See et al. 2017, eq. 11
struct AdditiveScore {
  Var W_a;  // (Q, A)  the decoder's state -> query
  Var U_a;  // (D, A)  a source state -> key
  Var v_a;  // (A)
  Var w_c;  // (A)     undefined without coverage

  AdditiveScore(const Params& p, std::size_t Q, std::size_t D, std::size_t A, bool coverage,
                const InitialiserConfig& init)
      : W_a(p.declare("W_a", {Q, A}, init.attention)),
        U_a(p.declare("U_a", {D, A}, init.attention)),
        v_a(p.declare("v_a", {A}, init.attention_v)),
        w_c(coverage ? p.declare("w_c", {A}, init.attention_v) : Var()) {}

  Var keys(const Var& states) const { return matmul(states, U_a); }  // (S, B, D) -> (S, B, A)
  Var operator()(const Var& s, const AttentionMemory& m, const Ids& sentence, const Var& coverage) const {
    return additive_scores(matmul(s, W_a), m.keys, v_a, coverage, w_c, sentence);
  }
};

// --- Dot and general scores ---
// Returns the dot products e_ij (R, S) of R queries q (R, A) and of the keys k (S, B, A) of B sentences. Each query and
// each key has A numbers. Query i is compared with the S keys of sentence sentence[i].
// e_ij = q_i' k_j
inline Var dot_scores(const Var& q, const Var& k, const Ids& sentence) {
  return autograd::dispatch<autograd::FusedOp::dot_scores>(
      [&] { return autograd::fused::dot_scores(q, k, sentence); },
      [&] {
        const Var e = batched_matmul(reshape(q, {q.dim(0), 1, q.dim(1)}), transpose(of_rows(k, sentence), {0, 2, 1}));
        return reshape(e, {q.dim(0), k.dim(0)});
      });
}

// DotScore is the dot product of a decoder state s_i and an encoder output h_j, which must have the same size Q.
// e_ij = s_i' h_j                                     Luong et al. 2015, eq. 8, dot
// As an option, `scale` divides the score by sqrt(Q), as in Vaswani et al. 2017, eq. 1, section 3.2.1.
struct DotScore {
  Real scale = 1;
  Var keys(const Var& states) const { return scale == 1 ? states : states * scale; }  // (S, B, Q)
  Var operator()(const Var& s, const AttentionMemory& m, const Ids& sentence, const Var&) const {
    return dot_scores(s, m.keys, sentence);
  }
};

// GeneralScore puts a learned matrix W_a between the decoder state s_i and the encoder output h_j.
// e_ij = s_i' W_a h_j                                 Luong et al. 2015, eq. 8, general
struct GeneralScore {
  Var W_a;  // (Q, D)
  Real scale = 1;

  GeneralScore(const Params& p, std::size_t Q, std::size_t D, Real scaled, const InitialiserConfig& init)
      : W_a(p.declare("W_a", {Q, D}, init.attention)), scale(scaled) {}

  Var keys(const Var& states) const {  // W_a h_j (S, B, D) -> (S, B, Q)
    const Var Wh = matmul_transposed(states, W_a);
    return scale == 1 ? Wh : Wh * scale;
  }
  Var operator()(const Var& s, const AttentionMemory& m, const Ids& sentence, const Var&) const {
    return dot_scores(s, m.keys, sentence);
  }
};

// HeadsScore learns K heads. Each head projects queries, keys and values to d = A/K numbers, where A is the attention
// size, and scales its score e_ij^k by 1 / sqrt(d); Vaswani et al. 2017, eq. 1, section 3.2.2:
// e_ij^k = (W_Q^k s_i)' (W_K^k h_j) / sqrt(d)         c_i = W_O [sum_j alpha_ij^k W_V^k h_j for every k]
// The code treats the heads of a sentence like separate sentences. It reshapes the keys and the values of B sentences
// with S positions from (S, B, K*d) to (S, B*K, d). Head k of sentence b then has the sentence number b*K + k.
struct HeadsScore {
  std::size_t K;
  Var W_Q;  // (Q, A)
  Var W_K;  // (D, A)
  Var W_V;  // (D, A)
  Var W_O;  // (A, D)

  HeadsScore(const Params& p, std::size_t Q, std::size_t D, std::size_t A, std::size_t heads,
             const InitialiserConfig& init)
      : K(heads),
        W_Q(p.declare("W_Q", {Q, A}, init.attention)),
        W_K(p.declare("W_K", {D, A}, init.attention)),
        W_V(p.declare("W_V", {D, A}, init.input(1))),
        W_O(p.declare("W_O", {A, D}, init.input(1))) {}

  Var keys(const Var& states) const {  // (S, B, D) -> (S, B*K, d)
    return split_heads(matmul(states, W_K) * (1 / std::sqrt(static_cast<Real>(W_K.dim(1) / K))));
  }
  Var values(const Var& states) const { return split_heads(matmul(states, W_V)); }  // (S, B, D) -> (S, B*K, d)
  Var operator()(const Var& s, const AttentionMemory& m, const Ids& sentence, const Var&) const {
    const Var q = matmul(s, W_Q);                                                         // (R, A)
    return dot_scores(reshape(q, {q.dim(0) * K, q.dim(1) / K}), m.keys, rows(sentence));  // (R*K, S)
  }
  Ids rows(const Ids& sentence) const {  // (R*K) the "sentence" of each row's heads
    Ids rows;
    for (const Id b : sentence)
      for (std::size_t k = 0; k < K; ++k) rows.push_back(b * static_cast<Id>(K) + static_cast<Id>(k));
    return rows;
  }

 private:
  Var split_heads(const Var& x) const { return reshape(x, {x.dim(0), x.dim(1) * K, x.dim(2) / K}); }
};

// --- Location scores depend only on the position ---
// LocationScore computes one score for each of the first L positions from the decoder state s_i. W_a is learned. Later
// positions get no weight ("for long sentences, we ignore words near the end", Luong et al. 2015, section 3.1,
// footnote).
// e_i = W_a s_i                                       Luong et al. 2015, eq. 9, location
struct LocationScore {
  Var W_a;  // (Q, L)

  LocationScore(const Params& p, std::size_t Q, std::size_t L, const InitialiserConfig& init)
      : W_a(p.declare("W_a", {Q, L}, init.attention)) {}

  Var keys(const Var&) const { return {}; }
  Var operator()(const Var& s, const AttentionMemory& m, const Ids&, const Var&) const {
    const std::size_t L = W_a.dim(1);
    const Var e = matmul(s, W_a);
    if (m.steps <= L) return slice(e, 1, 0, m.steps);
    return autograd::concat({e, autograd::constant(autograd::zeros({s.dim(0), m.steps - L}))}, 1);
  }
};

using Score = std::variant<AdditiveScore, DotScore, GeneralScore, LocationScore, HeadsScore>;

}  // namespace softalign::layers
