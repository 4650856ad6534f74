// WeightProducts: sum_t x_t' dy_t, the gradient of a weight that a loop multiplies by, as one GEMM instead of T small
// ones.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/gradient.h"
#include "autograd/linalg/gemm.h"

namespace softalign::autograd {

// A part of the columns of a weight W (K, N): [begin, end).
struct Columns {
  std::size_t begin, end;
};

class WeightProducts : public Deferred {
 public:
  explicit WeightProducts(const Array& W) : W_(W) {}
  // x (.., K) and dy (.., N), both kept, not copied. The product reaches only these columns of W, and only those of dy
  // count.
  void add(const Array& x, const Array& dy, Columns columns);
  void make_room() const override;        // W's layout is forgotten
  void add_into(Slot dW) const override;  // dW (K, N) += sum_t x_t' dy_t

 private:
  struct Group {
    Columns columns;
    std::vector<Array> xs, dys;
  };
  Array W_;
  std::vector<Group> groups_;
};

}  // namespace softalign::autograd
