// These ops rearrange, cut and join arrays without changing any number. docs/notation.md explains the notation.
#pragma once

#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

Var reshape(Var x, const Shape& shape);                                         // shares memory
Var transpose(const Var& x, const std::vector<std::size_t>& axes);              // y's axis i is x's axes[i]
Var transpose(const Var& x);                                                    // (M, N) -> (N, M)
Var slice(const Var& x, std::size_t axis, std::size_t begin, std::size_t end);  // along axis 0: shares memory
Var at(const Var& x, std::size_t i);                                            // x_i (..) of x (N, ..): shares memory
Var concat(const std::vector<Var>& xs, std::size_t axis);                       // shapes differ only in that axis
Var stack(const std::vector<Var>& xs);                                          // equal shapes; adds a first axis

}  // namespace softalign::autograd
