#include "autograd/linalg/blas.h"

namespace {
[[maybe_unused]] const bool chosen = (autograd::choose_blas_kernel(), true);
}
