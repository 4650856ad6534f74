// gather picks rows of a table by number. It is the lookup of embeddings. docs/notation.md explains the notation.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Returns the rows y_i = x[ids_i] of a table x (V, ..) with V rows. For N ids, the result is (N, ..). If x is a leaf,
// for example an embedding table, its gradient stores only the rows that were used. Throws std::invalid_argument if an
// id is out of range.
Var gather(const Var& x, const Ids& ids);

}  // namespace softalign::autograd
