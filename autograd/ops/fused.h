// Fused ops compute a complete layer as one node, with a derivative written by hand. Their code is in
// autograd/kernels/fused. Each has a definition made of primitives in layers/. A build without autograd/kernels runs
// the definition instead (see autograd/kernels.h). All of them throw std::invalid_argument if sizes do not match. The
// stated speeds compare forward and backward pass with the definition on one thread; tests/benchmarks/micro.cpp
// measures them. docs/notation.md explains the letters.
#pragma once

#include <cstddef>

#include "autograd/grid.h"
#include "autograd/kernels.h"
#include "autograd/ops/address.h"
#include "autograd/ops/mask.h"
#include "autograd/ops/steps.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// --- recurrent.cpp: each op computes all steps of a sequence. Padding does not change a sentence's state. These ops
// also throw std::invalid_argument if there is no step, or if a length exceeds S ---

// Computes the LSTM's steps. layers/recurrent/lstm.h defines them. `gates` has the gates before h_{t-1} U is added (see
// GateInputs), with G = 4H in the order i f g o. U is (H, 4H). h and c (B, H) are the state before the first step.
//   dc_t += dh_t o (1 - tanh(c_t)^2)        dc_{t-1} = dc_t f        dh_{t-1} = da_t U'        dU = sum_t h_{t-1}' da_t
//   da_t = [dc_t g i (1 - i)   dc_t c_{t-1} f (1 - f)   dc_t i (1 - g^2)   dh_t tanh(c_t) o (1 - o)]
LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps);

// Computes the GRU's steps. layers/recurrent/gru.h defines them. The gate order is r z n, as in PyTorch. `gates` is as
// for the LSTM, with G = 3H. U is (H, 3H). Only PyTorch's form has b_u (H). h (B, H) is the state before the first
// step. Returns h of every step (S, B, H).
Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps);

// --- scores.cpp: these ops compute one attention step over a memory without copying it ---

// Additive scores: layers/attention/scores.h defines them.
// e_rj = v' tanh(q_r + k_j + w cov_rj)      q (R, A), k (S, B, A), v (A)  ->  (R, S)
// sentence (R) has the number 0 .. B-1 of each row's sentence. cov is (R, S) and w is (A). If both are undefined, their
// term is missing.
//   ds_rj = de_rj v (1 - tanh^2)      dq_r = sum_j ds_rj      dk_j += ds_rj      dv = sum_rj de_rj tanh_rj
//   dcov_rj = ds_rj . w               dw = sum_rj ds_rj cov_rj
Var additive_scores(const Var& q, const Var& k, const Var& v, const Var& cov, const Var& w, const Ids& sentence);

// Dot products: layers/attention/scores.h defines them. sentence (R) has the number of each row's sentence.
// e_rj = q_r . k_j      q (R, A), k (S, B, A)  ->  (R, S)
//   dq_r = sum_j de_rj k_j      dk_j += de_rj q_r
Var dot_scores(const Var& q, const Var& k, const Ids& sentence);

// A Gaussian over source positions: layers/attention/window.h defines it.
// y_rj = alpha_rj exp(-(j - p_r)^2 / (2 sigma^2))      alpha (R, S), p (R, 1) in steps from 0  ->  (R, S)
//   dalpha = dy y / alpha      dp_r = sum_j dy_rj y_rj (j - p_r) / sigma^2
Var gaussian_window(const Var& alpha, const Var& p, Real sigma);

// Weighted sums: layers/attention/memory.h defines them. sentence (R) has the number of each row's sentence.
// c_r = sum_j alpha_rj h_j      alpha (R, S), h (S, B, D)  ->  (R, D)
//   dalpha_rj = dc_r . h_j      dh_j += alpha_rj dc_r
Var weighted_sum(const Var& alpha, const Var& h, const Ids& sentence);

// --- output_cross_entropy.cpp: the logits of a complete batch would be its largest array. The op therefore computes
// them for some rows at a time, and its gradient overwrites them ---

// Output layer, softmax and cross-entropy in one op: layers/dense/output.h defines it.
// l = x W + b (N, V)      loss_n = (1 - eps) (-log p(y_n)) + eps mean_v (-log p(v)),   p = softmax(l)
//   dl = dloss (p - (1 - eps) [v = y] - eps / V)
// x (.., E)  W (E, V)  b (V)  targets (N), one per row of x  ->  (N) in nats. The op leaves out rows with the target
// `padding`: their loss and gradient are 0. eps is the label smoothing of Szegedy et al. 2016.
Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding);

// --- attention.cpp: these ops compute attention of all steps at once, in several heads. A head is a range of columns.
// The ops read and write it in place, without transposing or copying ---

// Attention with its weights: layers/attention/scaled_dot_product.h defines it.
// A_k = softmax(Q_k K_k' / sqrt(d) + M)      Q_k: columns k d .. (k+1) d - 1 of q (T, R, K*d); K_k: of k (S, B, K*d)
// M_tj = 0 where the mask lets t attend to j, else -inf                          ->  (T, R, K, S)
//   dE = A (dA - rowsum(dA A)) / sqrt(d)      dQ_k += dE K_k      dK_k += dE' Q_k
// A row without any allowed key has only weights of 0.
Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask);

// O_k = A_k V_k      A (T, R, K, S)  v (S, B, K*d)  ->  (T, R, K*d)      dA_k = dO_k V_k'      dV_k += A_k' dO_k
Var attention_context(const Var& A, const Var& v, const Mask& mask);

// Attention in tiles (FlashAttention): layers/attention/scaled_dot_product.h defines it. The op frees the weights of a
// tile after using them, so memory grows linearly with the length, not with its square. It follows
// Dao et al. 2022, algorithm 1 ("FlashAttention: fast and memory-efficient exact attention with IO-awareness"). The
// running softmax is by Milakov & Gimelshein (2018).
// O_k = softmax(Q_k K_k' / sqrt(d) + M) V_k      as attention_weights and attention_context: (T, R, K*d)
//   for every tile of keys:  e = q K' / sqrt(d)   m' = max(m, rowmax e)   p = e^(e - m')
//                            l = e^(m - m') l + rowsum p   o = e^(m - m') o + p V   m = m'       at the end o / l
// The backward pass needs only L = m + log l (Dao et al. 2022, appendix B.4):
//   P = e^(e - L)   D = rowsum(dO O)   dS = P (dO V' - D) / sqrt(d)   dV += P' dO   dQ += dS K   dK += dS' Q
// Tiles pay for long sequences. At 1024 steps, in 4 heads of 32 numbers, tiled attention has 4 times the speed of the
// definition and needs 3 MB instead of 88. The form with weights has 1.4 times the speed and needs 40 MB.
Var tiled_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask);

// --- layer_norm.cpp ---

// Layer normalisation in one pass over each row: layers/dense/layer_norm.h defines it.
// y = g xh + b, xh = (x - mean) / sqrt(var + eps)      x (.., d), g (d), b (d); mean and (biased) variance of each row.
//   u = dy g      dx = (u - mean(u) - xh mean(u xh)) / sqrt(var + eps)      dg = sum dy xh      db = sum dy
Var layer_norm(const Var& x, const Var& g, const Var& b, Real eps);

// --- convolution_2d.cpp ---

// Convolution over the cells of pictures: layers/pictures/convolution_2d.h defines it. The op computes one product per
// position and reads patches in place (Dukhan 2019, "The indirect convolution algorithm"). For few pictures, and in the
// backward pass, it copies the patches of several positions next to each other (im2col), in memory that stays in the
// cache.
// y = col W + b        col (places*B, k k C), which is never complete in memory
// x (H*W, B, C), W (k*k*C, N), b (N)  ->  (places, B, N), with the places of grid_of(grid, patch)
//   dW = col' dy       db = sum dy      dx: the rows of dy W' added to the cells that they were read from
// The op has 1.5 to 2.9 times the speed of the definition (12 x 12 cells, 3 x 3 windows, 32 channels to 64, batches of
// 32 and 80).
Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch);

// --- addressing.cpp: these ops choose positions of a memory; layers/addressing/addressing.h defines them ---

// Returns the weights (R, N) of a head over a memory M (N, R, W). w' (R, N) are its weights at the step before:
//   c_i = k . M_i / (|k| |M_i|)    v = softmax(beta c)    u = g v + (1 - g) w'    z_i = sum_j u_j s(i - j)
//   w = softmax(gamma log z), which is z_i^gamma / sum_j z_j^gamma
// Backwards, with p = w (dw - sum dw w):
//   dgamma = sum p log z    dz = gamma p / z    ds(d) = sum_i dz_i u_(i-d)    du_j = sum_d dz_(j+d) s(d)
//   dg = sum du (v - w')    dw' = (1 - g) du    q = v (g du - sum g du v)    dbeta = sum q c    dc = beta q
//   dk = sum_i dc_i (M_i / (|k| |M_i|) - c_i k / |k|^2)        dM_i = dc_i (k / (|k| |M_i|) - c_i M_i / |M_i|^2)
// Throws std::invalid_argument for a memory without a place, or for an even number of shifts. The op has 8 times the
// speed of the definition for 10 places of 128 numbers (batch 32), and 34 times for 30 places of 512 numbers (batch
// 80).
Var address(const Address& a, const Var& before, const Var& M);

// M_i (1 - w_i e) + w_i a      M (N, R, W)  w (R, N)  e, a (R, W)  ->  (N, R, W)
//   dM_i = dM'_i (1 - w_i e)    dw_i = dM'_i . (a - M_i e)    de = -sum_i dM'_i M_i w_i    da = sum_i dM'_i w_i
// The op has 7 times the speed of the definition.
Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a);

}  // namespace softalign::autograd::fused
