// Gradient is the sum of the gradients that have arrived at a node. It has the shape of the node. The gradient of a
// leaf may also store only the rows that were used (embeddings), or have a deferred part: the products x' dy of a
// weight, which are multiplied together later. For an embedding, gather (ops/shape.cpp) adds the rows of a batch to the
// table's node (var.cpp), and the optimiser reads them by optimise/gradient_pieces.h.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "autograd/array.h"

namespace softalign::autograd {

// SparseRows is the gradient of a table that stores only the used rows.
class SparseRows {
 public:
  SparseRows() = default;
  SparseRows(const Ids& ids, const Array& g) : parts_{{ids, g, false}} {}  // g (N, ..) is kept, not copied
  bool empty() const { return parts_.empty(); }
  void add(const SparseRows& other) { parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end()); }
  void add_to(Array& table) const;  // adds g[i] to row ids[i] of the table
  Ids touched() const;              // in rising order, each once

  // A Part has each used row once, in rising order, with the sums of its gradients (rows, width).
  struct Part {
    Ids ids;
    Array sums;
    bool summed = false;
  };
  Part& summed(std::size_t width);

 private:
  std::vector<Part> parts_;  // in the order of arrival; ids may repeat
};

// An op computes this part of a leaf's gradient only when the gradient is read (autograd/kernels/products.h).
class Deferred {
 public:
  virtual ~Deferred() = default;
  virtual void make_room() const = 0;  // frees unneeded memory before the gradient takes memory
  virtual void add_into(Slot gradient) const = 0;
};

class Gradient {
 public:
  bool defined() const { return sum_.defined() || !rows_.empty() || waits(); }
  bool sparse() const { return !rows_.empty() && !waits(); }
  bool waits() const { return deferred_ != nullptr; }
  void clear() { *this = {}; }

  // Returns the complete gradient in the node's shape, after adding the rows and the deferred part. It is undefined
  // until a gradient arrives.
  Array& dense(const Shape& shape);
  Slot slot(const Shape& shape) { return dense(shape), own(shape); }  // the same, to be written into

  void add_rows(const SparseRows& more);  // a dense gradient stays dense
  SparseRows& rows() { return rows_; }

  // Returns the deferred part. If there is none, it is created from these arguments. A leaf has one kind of deferred
  // part. Throws std::bad_cast if the caller asks for another kind.
  template <class Kind, class... Arguments>
  Kind& deferred(Arguments&&... arguments) {
    if (!deferred_) deferred_ = std::make_shared<Kind>(std::forward<Arguments>(arguments)...);
    return dynamic_cast<Kind&>(*deferred_);
  }

 private:
  Slot own(const Shape& shape);  // creates sum_ if needed; copies it if its memory is shared

  Array sum_;
  SparseRows rows_;
  std::shared_ptr<Deferred> deferred_;
};

}  // namespace softalign::autograd
