// blas.cpp needs these functions of the linear algebra library. Two sources implement this header and
// choose_blas_kernel() and describe_blas() of blas.h: openblas.cpp, or without_blas.cpp in a build without BLAS.
#pragma once

#include <string>
#include <vector>

namespace softalign::autograd {

// The warnings about the library and its kernel, as blas_warnings() returns them.
std::vector<std::string> blas_library_warnings();

// With a limit of addresses, throws std::runtime_error with the sizes if the library's buffers for this number of
// threads do not fit. Without a limit, it does nothing.
void check_blas_buffers(int threads);

// Gives the library this number of threads, or one if its threads are not OpenMP's.
void set_blas_threads(int threads);

}  // namespace softalign::autograd
