// Deferred weight gradients: dW = sum_t x_t' dy_t over the steps of a loop as one GEMM instead of T small ones.
//
//   Var W_late = deferred(W);                    // before the time loop
//   for (...) y_t = matmul(x_t, W_late);         // each backward step only keeps (x_t, dy_t)
//
// The deferral is a node older than every step, so the backward walk reaches it after all of them. Since it stands for
// W throughout the loop, it also keeps W laid out for the loop's products (autograd/linalg/gemm.h).
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "autograd/linalg/gemm.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// The right factors of a loop's products.
class Factors {
 public:
  // b, which keeps its place and its numbers, for this and later products with left factors of `rows` rows: laid out
  // once they had `patience` rows in all.
  Factor of(const Matrix& b, std::size_t rows, std::size_t patience = 0);
  void forget() { known_.clear(); }

 private:
  struct Known {
    Factor factor;
    std::size_t rows = 0;  // of all products so far
  };
  std::vector<Known> known_;
};

// The pairs (x_t, dy_t) that wait until the walk reaches the deferral.
class DeferredProducts {
 public:
  void add(const Array& x, const Array& dy);  // x (.., K), dy (.., N)
  // The product reaches only columns [begin, end) of W, and only those of dy count.
  void add(const Array& x, const Array& dy, std::size_t begin, std::size_t end);
  void multiply_into(const Var& W);  // dW += [x_1; x_2; ..]' [dy_1; dy_2; ..], then forgets them

  // b, a part of W or of W', for this and later products with left factors of `rows` rows.
  Factor factor_of(const Matrix& b, std::size_t rows);

 private:
  struct Group {
    std::vector<Array> xs, dys;
  };
  std::map<std::pair<std::size_t, std::size_t>, Group> groups_;  // by the columns of W
  Factors factors_;
  bool backwards_ = false;
};

// While one lives, this thread's parameters do not change, as in decoding: each is laid out once for all products.
class FixedWeights {
 public:
  FixedWeights();
  ~FixedWeights();
  FixedWeights(const FixedWeights&) = delete;
  FixedWeights& operator=(const FixedWeights&) = delete;

 private:
  Factors* before_;
  Factors factors_;
};

// W's value, its gradient collected and multiplied at once.
Var deferred(const Var& W);

// b, which is W's value or a part of it or of its transpose, for a product with a left factor of `rows` rows: laid out
// if W is deferred, or a parameter while weights are fixed.
Factor factor_of(const Var& W, const Matrix& b, std::size_t rows);

}  // namespace autograd::inline SOFTALIGN_PRECISION
