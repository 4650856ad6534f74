// The buffers of OpenBLAS, and a limit of addresses (ulimit -v, ulimit -d). OpenBLAS maps a buffer of 128 MiB for each
// of its threads and one more for each of its callers, and where the system refuses one it tries again without end. So
// a program that has a limit looks first, and takes all of them at the start.
#pragma once

#include <cstddef>

namespace softalign::autograd {

inline constexpr std::size_t blas_buffer_bytes = std::size_t{128} << 20;

// The smaller of the limits; 0 where there is none.
std::size_t address_limit();

// Under a limit: std::runtime_error with the sizes if the buffers of so many threads do not fit. Without one it does
// nothing.
void check_blas_buffers(int threads);

// Under a limit: takes these buffers now, so that OpenBLAS never wants another. Call it when OpenBLAS has been told the
// number of threads, for which it has taken its first half.
void take_blas_buffers(int threads);

}  // namespace softalign::autograd
