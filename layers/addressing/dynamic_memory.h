// This file has the memory of the differentiable neural computer (DNC): Graves et al. 2016, "Hybrid computing using a
// neural network with dynamic external memory". A citation names the section of the paper's Methods.
//
// The notation is the paper's. A memory M (N, B, W) has N positions of W numbers for each of B rows of a batch. There
// are R read heads, which are numbered by i. A weighting w (B, N) has attention weights on the positions. They are at
// least 0 and sum to at most 1.
#pragma once

#include <vector>

#include "layers/addressing/addressing.h"

namespace softalign::layers {

// Returns the weighting c (B, N) of a head that finds positions by their content. k (B, W) is its key, beta (B, 1) its
// strength, and D the cosine.
// c_i = softmax_i(beta D(k, M_i))          Graves et al. 2016, Methods, "Content-based addressing"; D is the cosine
Var content_weighting(const Var& M, const Var& k, const Var& beta);

// Returns the retention psi (B, N), which is near 0 where the memory may be freed. The gate f^i says whether read head
// i frees the positions that it read with the weighting w^{r,i}.
// psi = prod_i (1 - f^i w^{r,i})          Methods, "Dynamic memory allocation"; f^i (B, 1) frees what head i has read
Var retention(const std::vector<Var>& f, const std::vector<Var>& w_r);

// Returns the new usage u' (B, N) of the positions. u is the usage before. Writing with the weighting w^w raises the
// usage, and freeing lowers it: psi is the retention.
// u' = (u + w^w - u w^w) psi                                     Methods, "Dynamic memory allocation"
Var usage(const Var& u, const Var& w_w, const Var& psi);

// Returns the allocation weighting a (B, N), which prefers unused positions. phi is the free list: all positions,
// sorted by usage u, the least used position first. The gradient ignores that the order phi depends on u.
// a_phi(j) = (1 - u_phi(j)) prod_{i<j} u_phi(i)                  Methods, "Dynamic memory allocation"
Var allocation_weighting(const Var& u);

// Returns the write weighting w^w (B, N). The gate g^w says whether to write at all. The gate g^a chooses between
// unused positions (a) and positions with a certain content (c^w). Each gate is (B, 1).
// w^w = g^w (g^a a + (1 - g^a) c^w)                              Methods, "Write weighting"; gates (B, 1)
Var write_weighting(const Var& g_w, const Var& g_a, const Var& a, const Var& c_w);

// Returns the new link matrix L' after a write with the weighting w^w. p is the precedence weighting, which says which
// positions the step before wrote to.
// L'_ij = (1 - w^w_i - w^w_j) L_ij + w^w_i p_j,  L'_ii = 0       Methods, "Temporal memory linkage"
// L (B, N, N): L_ij is near 1 if position i was written right after position j.
Var link_matrix(const Var& L, const Var& w_w, const Var& p);

// Returns the new precedence weighting p' (B, N), which says which positions were written last.
// p' = (1 - sum_i w^w_i) p + w^w                                 Methods, "Temporal memory linkage"
Var precedence_weighting(const Var& p, const Var& w_w);

// Returns a weighting f (B, N) for reading on in the order of writing. In the step before, a head read the positions
// w^r (B, N). f has the positions that were written right after them, according to the link matrix L.
// f = L w^r                                                      Methods, "Temporal memory linkage"
Var forward_weighting(const Var& L, const Var& w_r);
// Returns a weighting b (B, N) for reading against the order of writing. In the step before, a head read the positions
// w^r (B, N). b has the positions that were written right before them. Here, L' is the transpose of the link matrix L.
// b = L' w^r                                                     Methods, "Temporal memory linkage"
Var backward_weighting(const Var& L, const Var& w_r);

// Returns the read weighting w^r (B, N) of a head. It mixes the positions written before (b), the positions with a
// certain content (c^r), and the positions written after (f). The weights pi (B, 3) of this mixture sum to 1.
// w^r = pi_1 b + pi_2 c^r + pi_3 f                               Methods, "Read weighting"; pi (B, 3) sums to 1
Var read_weighting(const Var& pi, const Var& b, const Var& c_r, const Var& f);

// A MemoryInterface has the vectors with which the controlling network uses the memory in one step. For each read head,
// there are a key k_r (B, W), its strength beta_r (B, 1), a gate f (B, 1) and a mixture pi (B, 3). For writing, there
// are a key k_w, the numbers to erase e and the numbers to add v, each (B, W), and beta_w, g_a and g_w, each (B, 1).
struct MemoryInterface {
  std::vector<Var> k_r, beta_r;
  Var k_w, beta_w, e, v;
  std::vector<Var> f;
  Var g_a, g_w;
  std::vector<Var> pi;
};

// MemoryState is what the memory passes from one step to the next.
struct MemoryState {
  Var M;                 // (N, B, W)
  Var u, w_w, p;         // (B, N) usage, write weighting and precedence weighting
  Var L;                 // (B, N, N) link matrix
  std::vector<Var> w_r;  // (B, N) read weighting of each head
};

// Returns a memory M in which no position is used, linked or read yet. Every number in M is 0.01, because a row of
// zeros has no direction, and the cosine would be undefined.
MemoryState empty_memory(std::size_t B, std::size_t N, std::size_t W, std::size_t R);

// Computes one step of the memory. The step updates usage, allocation, contents and links, and then reads. At the
// positions with the write weighting w^w, it erases the fraction e of the contents M and adds the numbers v. M' has the
// new contents; e' and v' are transposes:
// M' = M (1 - w^w e') + w^w v'                                   Methods, "Reading and writing to memory"
MemoryState access(const MemoryInterface& xi, const MemoryState& before);

// InterfaceLayer computes a linear layer xi = h W + b of the controller's state h, and splits xi into the parts of a
// MemoryInterface (Graves et al. 2016, Methods, "Interface parameters"). The gates and the erase vector e go through a
// sigmoid, the read modes pi through a softmax, and the strengths through
// oneplus(x) = 1 + log(1 + e^x)
struct InterfaceLayer {
  std::size_t W, R;
  Linear xi;  // (H, R W + 3 W + 5 R + 3)

  InterfaceLayer(const Params& p, std::size_t H, std::size_t width, std::size_t heads, const Initialiser& init)
      : W(width), R(heads), xi(p, H, heads * width + 3 * width + 5 * heads + 3, init) {}
  MemoryInterface operator()(const Var& h) const;
};

}  // namespace softalign::layers
