// These ops compute the sum, the mean or the maximum over some axes of x. They remove these axes, unless `keep` is
// Keep::yes. If no axes are given, they reduce x to one number. dx and dy are the gradients of the loss with respect to
// x and the result.
#pragma once

#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

using Axes = std::vector<std::size_t>;
enum class Keep { no, yes };  // yes: a reduced axis gets size 1, so that the result broadcasts to x

Var sum(const Var& x, const Axes& axes = {}, Keep keep = Keep::no);   // dx = dy, stretched
Var mean(const Var& x, const Axes& axes = {}, Keep keep = Keep::no);  // dx = dy / n, stretched
Var max(Var x, std::size_t axis, Keep keep = Keep::no);               // dx = dy at the first maximum

// Adds to y (K) the sum over the rows of g (N, K).
void add_column_sums(const Array& g, Array& y);

// An op has computed y from b, which it repeated along some axes (broadcasting). This function sums dy, the gradient of
// y, over these axes, and adds the sum to the gradient of b. b.add_grad(dy) has the same effect. But if b is one row
// and dy is large, this function is faster, because all threads share the sum.
void add_repeated_grad(const Var& b, const Array& dy);

}  // namespace softalign::autograd
