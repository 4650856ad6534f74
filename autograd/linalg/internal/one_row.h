// One row times a matrix: every weight is used once, so that the memory, or the cache, sets the time.
#pragma once

#include "autograd/linalg/gemm.h"

namespace softalign::autograd {

// c (n) = a b or c += a b for a (1, k) and b (k, n) as it lies, row-major and not transposed. Each thread has columns
// of its own and walks along several rows at a time, as caches read ahead.
void multiply_one_row(const Matrix& a, const Matrix& b, Real* c, Into into);

}  // namespace softalign::autograd
