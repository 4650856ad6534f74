// What every recurrent op shares: the product by U in each step, and its gradient over all of them.
#pragma once

#include "autograd/fused/steps.h"
#include "autograd/internal/product.h"
#include "autograd/weight_products.h"

namespace softalign::autograd {

// b, which is U's value or a part of it or of its transpose, for all steps: laid out once. Of a single step, which a
// decoder takes, the engine knows whether others follow.
Factor recurrent_factor(const Var& U, const Matrix& b, const Steps& steps);

// dU (H, K) += sum_t h_{t-1}' dgates_t in these columns, for h (S, B, H) after each step, h_0 (B, H) before the first,
// dgates (S*B, K): in memory the states before each step are the slab h itself, one step apart, except before the
// first.
void add_recurrent_gradient(const Var& U, const Array& h, const Array& h_0, const Array& dgates, const Steps& steps,
                            Columns columns);

}  // namespace softalign::autograd
