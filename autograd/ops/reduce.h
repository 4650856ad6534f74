// These ops compute sums, means and maxima. They remove the reduced axes unless `keep`. Without axes, they reduce all
// axes to a scalar.
#pragma once

#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

using Axes = std::vector<std::size_t>;
enum class Keep { no, yes };  // keep a reduced axis as 1, ready to broadcast back

Var sum(const Var& x, const Axes& axes = {}, Keep keep = Keep::no);   // dx = dy, stretched
Var mean(const Var& x, const Axes& axes = {}, Keep keep = Keep::no);  // dx = dy / n, stretched
Var max(Var x, std::size_t axis, Keep keep = Keep::no);               // dx = dy at the first maximum

}  // namespace softalign::autograd
