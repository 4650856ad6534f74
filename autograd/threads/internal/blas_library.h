// blas.cpp calls these functions of the linear algebra library. openblas.cpp implements them, and also
// choose_blas_kernel() and describe_blas() of blas.h. A build without BLAS uses without_blas.cpp instead.
#pragma once

#include <string>
#include <vector>

namespace softalign::autograd {

// Returns warnings about the library and its kernel. They are a part of the result of blas_warnings().
std::vector<std::string> blas_library_warnings();

// If the user limits the virtual memory of the process (`ulimit -v`), checks whether the library's buffers for this
// number of threads fit. If they do not fit, throws std::runtime_error with the sizes.
void check_blas_buffers(int threads);

// Sets the number of threads of the library. If the library does not use OpenMP, it always gets one thread.
void set_blas_threads(int threads);

}  // namespace softalign::autograd
