#include "autograd/threads/blas.h"

using namespace softalign;

namespace {
[[maybe_unused]] const bool chosen = (autograd::choose_blas_kernel(), true);
}
