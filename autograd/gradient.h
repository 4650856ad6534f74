// A Gradient is the sum of the gradients that have arrived at a node of the graph. It has the shape of the node. A leaf
// is a node that no op computed, for example a parameter. The gradient of a leaf can have two special forms. If the
// leaf is an embedding table, its gradient may store only the rows that were used. If the leaf is a weight matrix, its
// gradient may be a list of factors, which are multiplied later.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "autograd/array.h"

namespace softalign::autograd {

// SparseRows is the gradient of a table. It stores only the rows that were used.
class SparseRows {
 public:
  SparseRows() = default;
  SparseRows(const Ids& ids, const Array& g) : parts_{{ids, g, false}} {}  // g (N, ..) is kept, not copied
  bool empty() const { return parts_.empty(); }
  void add(const SparseRows& other) { parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end()); }
  void add_to(Array& table) const;  // adds g[i] to row ids[i] of the table
  Ids touched() const;              // the ids of the rows, each once, in rising order

  // A Part has gradients of some rows of a table. A row may occur several times. After a call of summed(), each row
  // occurs once, with the sum of its gradients.
  struct Part {
    Ids ids;
    Array sums;
    bool summed = false;
  };
  Part& summed(std::size_t width);
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;  // in the order of arrival; ids may repeat
};

// Deferred is a part of a parameter's gradient that is computed late. For example, it stores the factors of a matrix
// product, and computes the product when the gradient is read (autograd/kernels/products.h).
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

  // Returns the complete gradient in the node's shape. The function first adds all parts that are stored separately.
  // Until a gradient arrives, the result is an empty array.
  Array& dense(const Shape& shape);
  Slot slot(const Shape& shape) { return dense(shape), own(shape); }  // the same, but an op may write to it

  void add_rows(const SparseRows& more);  // a dense gradient stays dense
  SparseRows& rows() { return rows_; }

  // A gradient may have one deferred part: a sum that is computed only when somebody reads the gradient. Returns this
  // part, and creates it from the arguments if there is none yet. Throws std::bad_cast if the gradient already has a
  // deferred part of another type than Kind.
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
