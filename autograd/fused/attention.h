// Attention of all steps at once, in several heads, for the definition in layers/attention/scaled_dot_product.h. A head
// is a range of columns that is read and written where it stands: nothing is transposed or copied.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

// Which keys a query may look at, and whose they are.
struct Mask {
  std::vector<std::size_t> lengths = {};  // (B) keys of each sentence, the others are padding; empty: all S
  bool causal = false;                    // query t sees the keys 0 .. t only, or 0 .. t + S - T of more keys
  Ids sentence = {};                      // (R) whose keys each row of queries looks at; empty: row r has sentence r
  bool rows_first = false;                // keys and values are (B, S, ..), as a cache has them, not (S, B, ..)
};

namespace fused {

// A_k = softmax(Q_k K_k' / sqrt(d) + M)      Q_k: columns k d .. (k+1) d - 1 of q (T, R, K*d); K_k: of k (S, B, K*d)
// M_tj = 0 where the mask lets t look at j, else -inf                            ->  (T, R, K, S)
//   dE = A (dA - rowsum(dA A)) / sqrt(d)      dQ_k += dE K_k      dK_k += dE' Q_k
// A row that may look at nothing is 0. std::invalid_argument: sizes that do not fit.
Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask);

// O_k = A_k V_k      A (T, R, K, S)  v (S, B, K*d)  ->  (T, R, K*d)      dA_k = dO_k V_k'      dV_k += A_k' dO_k
Var attention_context(const Var& A, const Var& v, const Mask& mask);

}  // namespace fused
}  // namespace softalign::autograd
