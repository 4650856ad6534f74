// The linear algebra library that was found at run time, its kernel and its threads. In a build without BLAS
// (SOFTALIGN_BLAS=OFF), autograd/kernels computes every product.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::autograd {

// For a program's first lines: "OpenBLAS 0.3.21, OpenMP, SkylakeX kernel, 2 threads", or without BLAS "own kernels, no
// BLAS, 512 bits, 2 threads".
std::string describe_blas();

// Warnings for the user: OPENBLAS_CORETYPE forces a slower kernel than the CPU supports (half the speed, measured), the
// BLAS is not the OpenMP build, or there are more threads than cores. The result is empty if all is well.
std::vector<std::string> blas_warnings();

// OpenBLAS uses its oldest kernel on a CPU that it does not know. For example, 0.3.21 runs Prescott's kernel on an
// Emerald Rapids, with 16 instead of 277 GFLOP/s. This call selects the widest kernel that the CPU can run, unless
// OPENBLAS_CORETYPE is set. Programs call it once at the start, before any product, because it replaces kernels and
// changes the environment variable for a moment. A library only warns (blas_warnings).
void choose_blas_kernel();

// The number of threads of our loops and of BLAS. A BLAS with its own thread pool would compete with ours (4 to 6 times
// slower, measured on small models), so it gets one thread. The default is OpenMP's, and at least 1. Batches are split
// by this number. The number that works at once is limited by the cores, by OMP_THREAD_LIMIT and by OpenMP. BLAS gets
// the limited number, because it waits for every thread that it expects. std::runtime_error if ulimit -v does not leave
// the addresses that BLAS needs for them.
void set_threads(int threads);
int threads();
bool in_parallel();  // whether this code is a part of a parallel loop already

// While an object exists, one thread does the work of all threads(). Batches are still split by that number. Only parts
// of parallel loops keep their bytes, because BLAS has one thread there anyway. Elsewhere, several threads split sums
// and round differently.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
};

// While it lives, a OneThread around it is suspended.
class AllThreads {
 public:
  AllThreads();
  ~AllThreads();
  AllThreads(const AllThreads&) = delete;
  AllThreads& operator=(const AllThreads&) = delete;

 private:
  int before_;
};

// While an object exists, the code counts as a part of a parallel loop, even if the same thread runs the other parts.
class InParallel {
 public:
  InParallel();
  ~InParallel();
  InParallel(const InParallel&) = delete;
  InParallel& operator=(const InParallel&) = delete;

 private:
  bool before_;
};

// Makes every thread treat numbers below 1e-38 as zero, because they are 100 times slower, and gradients through long
// sequences have many of them. Programs call it once at the start. It has no effect on CPUs other than x86.
void flush_denormals();

// OpenBLAS maps a buffer of this size for each of its threads and for each calling thread. If the system refuses one,
// it tries again without end. Therefore, with a limit of addresses (ulimit -v, ulimit -d), set_threads checks first
// whether they fit, and takes all of them.
#ifdef SOFTALIGN_WITHOUT_BLAS
inline constexpr std::size_t blas_buffer_bytes = 0;
#else
inline constexpr std::size_t blas_buffer_bytes = std::size_t{128} << 20;
#endif

}  // namespace softalign::autograd
