// BLAS is a library for linear algebra. This file describes the BLAS that was found at run time, its kernel (the code
// for one type of processor), and its threads. In a build without BLAS (SOFTALIGN_BLAS=OFF), autograd/kernels computes
// every product.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::autograd {

// Returns a description for a program's first lines, for example "OpenBLAS 0.3.21, OpenMP, SkylakeX kernel, 2 threads".
// Without BLAS, it is for example "own kernels, no BLAS, 512 bits, 2 threads".
std::string describe_blas();

// Returns warnings for the user, or an empty vector if there are none. There are three possible warnings: OpenBLAS runs
// a slower kernel than the processor supports, which at least halves the speed; BLAS does not use OpenMP; or the user
// requests more threads than can work at once. An environment variable, OPENBLAS_CORETYPE, may force a slower kernel.
std::vector<std::string> blas_warnings();

// Selects the fastest OpenBLAS kernel for the processor, unless the user has set OPENBLAS_CORETYPE. A kernel is code
// for one type of processor. On a processor that it does not know, OpenBLAS uses its oldest kernel. For example,
// OpenBLAS 0.3.21 reaches 16 instead of 277 GFLOP/s on an Emerald Rapids. Our programs call this function once, before
// any product, because it replaces kernels and changes the environment variable for a moment. A program that uses
// softalign as a library does not call it, and only gets a warning (blas_warnings).
void choose_blas_kernel();

// Sets the number of threads of softalign's loops. Batches are always split into `threads` parts. Fewer threads may
// work at once, because the number of cores, OMP_THREAD_LIMIT and OpenMP limit the number of working threads. BLAS is
// set to the number of threads that can work at once. With a larger number, it would wait forever for threads that do
// not run. If BLAS does not use OpenMP, it gets only one thread. Otherwise its own threads would compete with
// softalign's loops, which makes small models 4 to 6 times slower. Before the first call, threads() returns OpenMP's
// number, and at least 1. Throws std::runtime_error if `ulimit -v` does not leave enough addresses for the threads of
// BLAS.
void set_threads(int threads);
int threads();
bool in_parallel();  // whether this code is a part of a parallel loop already

// While a ThreadLimit exists, at most `threads` threads do all the work. Batches are still split into as many parts as
// without the limit. If run_workers (autograd/threads/shards.h) computes the parts, the results have the same bytes as
// without the limit. Otherwise the threads may split a sum differently, so rounding changes the results.
//
// All parallel loops under one limit have the same number of threads. This is important, because GNU's OpenMP ends the
// threads that a smaller loop does not need, and creates them again for the next larger loop.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_, all_before_;
};

// While an AllThreads exists, all threads share the work, even if a ThreadLimit was created earlier.
class AllThreads {
 public:
  AllThreads();
  ~AllThreads();
  AllThreads(const AllThreads&) = delete;
  AllThreads& operator=(const AllThreads&) = delete;

 private:
  int before_;
};

// While an InParallel exists, this thread counts as a part of a parallel loop (in_parallel() is true), even if one
// thread runs all parts.
class InParallel {
 public:
  InParallel();
  ~InParallel();
  InParallel(const InParallel&) = delete;
  InParallel& operator=(const InParallel&) = delete;

 private:
  bool before_;
};

// Makes every thread treat numbers below 1e-38 as zero. Such numbers are 100 times slower to compute with, and
// gradients through long sequences contain many of them. Programs call this function once at the start. It has an
// effect only on x86 processors.
void flush_denormals();

// OpenBLAS maps a buffer of blas_buffer_bytes for each of its threads and for each calling thread. If the system
// refuses a buffer, OpenBLAS repeats its request forever. Therefore, if the user limits the addresses of the process
// (`ulimit -v`, `ulimit -d`), set_threads first checks whether the buffers fit. Then it makes OpenBLAS map all of them.
#ifdef SOFTALIGN_WITHOUT_BLAS
inline constexpr std::size_t blas_buffer_bytes = 0;
#else
inline constexpr std::size_t blas_buffer_bytes = std::size_t{128} << 20;
#endif

}  // namespace softalign::autograd
