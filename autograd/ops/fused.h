// A fused op computes a complete layer as one node of the graph, with a backward pass written by hand
// (autograd/kernels/fused). layers/ has a definition of each op, composed of simple ops. A build without
// autograd/kernels runs the definitions instead. Every fused op throws std::invalid_argument if sizes do not match.
// fused_convolution.h and fused_addressing.h declare more fused ops.
// Comments on speed compare an op with its definition, forward and backward on one thread (tests/benchmarks/micro.cpp).
// In the formulas, dx is the gradient of the loss with respect to x. docs/notation.md explains the notation.
#pragma once

#include <cstddef>

#include "autograd/kernels.h"
#include "autograd/ops/attention_mask.h"
#include "autograd/ops/steps.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// --- recurrent.cpp: each op computes all steps of a sequence. Padding does not change a sentence's state. These ops
// also throw std::invalid_argument if there is no step, or if a sentence has more steps than its batch ---

// Computes all steps of an LSTM (layers/recurrent/lstm.h) for B sentences. A state has H numbers. `gates` has x_t W + b
// of each step: 4H numbers for the gates i, f, g and o. The function adds h_{t-1} U with U (H, 4H), which gives a_t,
// and applies the gates. The state before the first step is h (B, H) and c (B, H). The formulas below compute the
// gradients: dh_t is the gradient of the loss with respect to h_t, U' is the transpose of U, and products of gates are
// elementwise.
//   dc_t += dh_t o (1 - tanh(c_t)^2)        dc_{t-1} = dc_t f        dh_{t-1} = da_t U'        dU = sum_t h_{t-1}' da_t
//   da_t = [dc_t g i (1 - i)   dc_t c_{t-1} f (1 - f)   dc_t i (1 - g^2)   dh_t tanh(c_t) o (1 - o)]
LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps);

// Computes the states (S, B, H) after each of the S steps of a GRU (layers/recurrent/gru.h) for B sentences. A state
// has H numbers. `gates` has 3H numbers per step, for the gates r, z and n: the sums inside the gates, but without the
// product h_{t-1} U, which this function computes. U is (H, 3H), and h (B, H) is the state before the first step. Only
// the GRU of PyTorch has the bias b_u (H).
Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps);

// --- scores.cpp: these ops compute one step of attention. They read the encoder outputs without copying them ---

// Returns the additive scores e_rj of R queries q_r and the keys k_j of S source positions (layers/attention/scores.h).
// A query or key has A numbers. Query r belongs to the sentence with the number sentence[r] in a batch of B. v is a
// learned vector. cov (R, S) has the earlier attention on each word, and w (A) weights it. If cov and w are undefined,
// their term is missing. After the formula of the score come the formulas of its gradients. In them, s_rj is the sum
// inside tanh, and tanh_rj is tanh(s_rj).
// e_rj = v' tanh(q_r + k_j + w cov_rj)      q (R, A), k (S, B, A), v (A)  ->  (R, S)
//   ds_rj = de_rj v (1 - tanh^2)      dq_r = sum_j ds_rj      dk_j += ds_rj      dv = sum_rj de_rj tanh_rj
//   dcov_rj = ds_rj . w               dw = sum_rj ds_rj cov_rj
Var additive_scores(const Var& q, const Var& k, const Var& v, const Var& cov, const Var& w, const Ids& sentence);

// Returns the dot products e_rj of R queries q_r and the keys k_j of S source positions (layers/attention/scores.h). A
// query or key has A numbers. Query r belongs to the sentence with the number sentence[r] in a batch of B. The second
// line of formulas has the gradients.
// e_rj = q_r . k_j      q (R, A), k (S, B, A)  ->  (R, S)
//   dq_r = sum_j de_rj k_j      dk_j += de_rj q_r
Var dot_scores(const Var& q, const Var& k, const Ids& sentence);

// Multiplies R rows of attention weights alpha by a Gaussian over the S source positions j (layers/attention/window.h).
// For row r, the Gaussian has the centre p_r and the width sigma. Positions count from 0. The second line of
// formulas gives the gradients; dy is the gradient of the loss with respect to y.
// y_rj = alpha_rj exp(-(j - p_r)^2 / (2 sigma^2))      alpha (R, S), p (R, 1)  ->  (R, S)
//   dalpha = dy y / alpha      dp_r = sum_j dy_rj y_rj (j - p_r) / sigma^2
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

// Returns the context c_r for each of R rows: the sum of the encoder outputs h_j of S positions, weighted by the
// attention weights alpha_rj (layers/attention/memory.h). h_j has D numbers. Row r belongs to the sentence with the
// number sentence[r] in a batch of B. The second line of formulas has the gradients.
// c_r = sum_j alpha_rj h_j      alpha (R, S), h (S, B, D)  ->  (R, D)
//   dalpha_rj = dc_r . h_j      dh_j += alpha_rj dc_r
Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence);

// --- output_cross_entropy.cpp: the logits of a complete batch would be its largest array. The op therefore computes
// the logits of a few rows at a time, and the gradient overwrites the logits ---

// Computes output layer, softmax and cross-entropy in one op (layers/dense/output.h). Row n of x (.., E) has E numbers
// and predicts one of V words. targets (N) has the right word y_n of each of N rows. W (E, V) and b (V) are weights.
// The result (N) is the loss of each row in nats, which are units of the natural logarithm. Rows with the target
// `padding` have the loss 0 and the gradient 0. l has the logits, p(v) is the probability of word v, and dl is the
// gradient with respect to l. [v = y] is 1 for the right word and 0 for the others.
// l = x W + b (N, V)      loss_n = (1 - eps) (-log p(y_n)) + eps mean_v (-log p(v)),   p = softmax(l)
//   dl = dloss (p - (1 - eps) [v = y] - eps / V)
// eps is the strength of label smoothing (Szegedy et al. 2016).
Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding);

// --- attention.cpp: these ops compute attention for all steps at once, in several heads. A head is a range of columns.
// The ops read and write this range in place, without a copy ---

// Returns the attention weights A_k (T, R, K, S) of K heads (layers/attention/scaled_dot_product.h). q (T, R, K*d) has
// the queries of T steps in R rows, with d numbers per head. k (S, B, K*d) has the keys of S steps of B sentences. Head
// k uses the columns k d .. (k+1) d - 1 of q and k, called Q_k and K_k. M_tj is 0 if the mask lets step t attend to
// step j, and otherwise -infinity. If step t may not attend to any key, its weights are 0. The second line has the
// gradients: E has the scores, and rowsum adds the numbers of each row.
// A_k = softmax(Q_k K_k' / sqrt(d) + M)
//   dE = A (dA - rowsum(dA A)) / sqrt(d)      dQ_k += dE K_k      dK_k += dE' Q_k
Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask);

// Returns the attention output O_k of each of K heads for T steps in R rows: the sum of the values V_k of S steps of B
// sentences, weighted by the attention weights A_k. Head k reads d columns of v: the columns k d .. (k+1) d - 1. dA_k
// and dV_k are the gradients.
// O_k = A_k V_k      A (T, R, K, S)  v (S, B, K*d)  ->  (T, R, K*d)      dA_k = dO_k V_k'      dV_k += A_k' dO_k
Var attention_context(const Var& A, const Var& v, const Mask& mask);

// Computes the attention output O_k (T, R, K*d) of K heads in tiles (FlashAttention). A tile is a block of keys, and
// the op frees the weights of a tile after using them. Memory therefore grows linearly with the length, and not with
// its square. The op follows Dao et al. 2022, algorithm 1 ("FlashAttention: fast and memory-efficient exact attention
// with IO-awareness"). Its running softmax is by Milakov & Gimelshein (2018): m is the largest score so far, l is the
// sum of the exponentials, and o is the weighted sum of the values. m' is the new value of m, and K' is the transpose
// of the keys K.
// O_k = softmax(Q_k K_k' / sqrt(d) + M) V_k
//   for every tile of keys:  e = q K' / sqrt(d)   m' = max(m, rowmax e)   p = exp(e - m')
//                            l = exp(m - m') l + rowsum p   o = exp(m - m') o + p V   m = m'       at the end o / l
// In the backward pass, dO is the gradient of the output O, and dS is the gradient of the scores e. The backward pass
// computes the weights P again, from L = m + log l of each row (Dao et al. 2022, appendix B.4):
//   P = exp(e - L)   D = rowsum(dO O)   dS = P (dO V' - D) / sqrt(d)   dV += P' dO   dQ += dS K   dK += dS' Q
// Tiles are worthwhile for long sequences. At 1024 steps in 4 heads of 32 numbers, tiled attention has 4 times the
// speed of the definition and needs 3 MB instead of 88 MB. Fused attention has 1.4 times the speed and needs 40 MB.
Var tiled_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask);

// --- layer_norm.cpp ---

// Computes layer normalisation (layers/dense/layer_norm.h) in one pass over each row of x (.., d), which has d numbers.
// g (d) and b (d) are the learned gain and bias, and xh is the row with mean 0 and variance 1. The second line has the
// gradients; u is the gradient with respect to xh.
// y = g xh + b, xh = (x - mean) / sqrt(var + eps)
//   u = dy g      dx = (u - mean(u) - xh mean(u xh)) / sqrt(var + eps)      dg = sum dy xh      db = sum dy
Var layer_norm(const Var& x, const Var& g, const Var& b, Real eps);

}  // namespace softalign::autograd::fused
