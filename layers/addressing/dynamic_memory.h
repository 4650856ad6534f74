// Addressing of the differentiable neural computer (DNC): Graves et al. 2016, "Hybrid computing using a neural network
// with dynamic external memory". A citation names the section of the paper's Methods.
//
// The notation is the paper's. A memory M (N, B, W) has N positions of W numbers for each of B rows. Every weighting w
// is (B, N), at least 0, and sums to at most 1. There are R read heads, each with its index i.
#pragma once

#include <vector>

#include "layers/addressing/addressing.h"

namespace softalign::layers {

// c_i = softmax_i(beta D(k, M_i))          Graves et al. 2016, Methods, "Content-based addressing"; D is the cosine
// k (B, W), beta (B, 1)  ->  (B, N)
Var content_weighting(const Var& M, const Var& k, const Var& beta);

// psi = prod_i (1 - f^i w^{r,i})          Methods, "Dynamic memory allocation"; f^i (B, 1) frees what head i has read
Var retention(const std::vector<Var>& f, const std::vector<Var>& w_r);

// u' = (u + w^w - u w^w) psi                                     Methods, "Dynamic memory allocation"
Var usage(const Var& u, const Var& w_w, const Var& psi);

// a_phi(j) = (1 - u_phi(j)) prod_{i<j} u_phi(i)                  Methods, "Dynamic memory allocation"
// phi is the free list: all positions, sorted by usage, least first. The gradient ignores that phi depends on u.
Var allocation_weighting(const Var& u);

// w^w = g^w (g^a a + (1 - g^a) c^w)                              Methods, "Write weighting"; gates (B, 1)
Var write_weighting(const Var& g_w, const Var& g_a, const Var& a, const Var& c_w);

// L'_ij = (1 - w^w_i - w^w_j) L_ij + w^w_i p_j,  L'_ii = 0       Methods, "Temporal memory linkage"
// L (B, N, N): L_ij is near 1 if position i was written right after position j.
Var link_matrix(const Var& L, const Var& w_w, const Var& p);

// p' = (1 - sum_i w^w_i) p + w^w                                 Methods, "Temporal memory linkage"
// The precedence weighting says which position was written last.
Var precedence_weighting(const Var& p, const Var& w_w);

// f = L w^r                                                      Methods, "Temporal memory linkage"
Var forward_weighting(const Var& L, const Var& w_r);
// b = L' w^r                                                     Methods, "Temporal memory linkage"
Var backward_weighting(const Var& L, const Var& w_r);

// w^r = pi_1 b + pi_2 c^r + pi_3 f                               Methods, "Read weighting"; pi (B, 3) sums to 1
Var read_weighting(const Var& pi, const Var& b, const Var& c_r, const Var& f);

// A MemoryInterface has the parts of one step's interface vector, with which the controller controls its memory. There
// is one k_r (B, W), beta_r (B, 1), f (B, 1) and pi (B, 3) per read head. k_w, e and v are (B, W); beta_w, g_a and g_w
// are (B, 1).
struct MemoryInterface {
  std::vector<Var> k_r, beta_r;
  Var k_w, beta_w, e, v;
  std::vector<Var> f;
  Var g_a, g_w;
  std::vector<Var> pi;
};

// MemoryState is the state that each step hands to the next.
struct MemoryState {
  Var M;                 // (N, B, W)
  Var u, w_w, p;         // (B, N)
  Var L;                 // (B, N, N)
  std::vector<Var> w_r;  // (B, N) of each head
};

// Returns the initial memory. No position is used, linked or read yet. Every number of M is 0.01, because a row of
// zeros has no direction.
MemoryState empty_memory(std::size_t B, std::size_t N, std::size_t W, std::size_t R);

// Computes one step: usage, allocation, write, link, read.
// M' = M (1 - w^w e') + w^w v'                                   Methods, "Reading and writing to memory"
MemoryState access(const MemoryInterface& xi, const MemoryState& before);

// Splits xi = h W + b into an interface. beta = oneplus(..), e, f, g = sigmoid(..), pi = softmax(..)
// oneplus(x) = 1 + log(1 + e^x)                                  Methods, "Interface parameters"
struct InterfaceLayer {
  std::size_t W, R;
  Linear xi;  // (H, R W + 3 W + 5 R + 3)

  InterfaceLayer(const Params& p, std::size_t H, std::size_t width, std::size_t heads, const Initialiser& init)
      : W(width), R(heads), xi(p, H, heads * width + 3 * width + 5 * heads + 3, init) {}
  MemoryInterface operator()(const Var& h) const;
};

}  // namespace softalign::layers
