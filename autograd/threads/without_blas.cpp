#include <fmt/format.h>

#include "autograd/internal/simd.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/internal/blas_library.h"

namespace softalign::autograd {

void choose_blas_kernel() {}

std::string describe_blas() {
  const int n = threads();
  return fmt::format("own kernels, no BLAS, {} bits, {} thread{}", 8 * sizeof(Lanes), n, n == 1 ? "" : "s");
}

std::vector<std::string> blas_library_warnings() { return {}; }
void check_blas_buffers(int) {}
void set_blas_threads(int) {}

}  // namespace softalign::autograd
