// What the linear algebra runs on: the BLAS found at run time, its kernel and its threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::autograd {

// For a program's first lines: "OpenBLAS 0.3.21, OpenMP, SkylakeX kernel, 2 threads".
std::string describe_blas();

// What a user should know: OPENBLAS_CORETYPE forces a kernel below what the CPU has (half the speed, measured), the
// BLAS is not the OpenMP build, or more threads are asked for than there are cores. Empty if all is well.
std::vector<std::string> blas_warnings();

// OpenBLAS takes its oldest kernel on a CPU younger than itself: 0.3.21 runs Prescott's on an Emerald Rapids, 16
// GFLOP/s where SkylakeX's reach 277. This gives it the widest kernel that the CPU can run, unless OPENBLAS_CORETYPE is
// set. For programs, once, at start, before anything is multiplied: it replaces kernels that other threads might be in,
// and the environment variable for a moment. A library that finds another kernel only says so (blas_warnings).
void choose_blas_kernel();

// Threads of our own loops and of BLAS. A BLAS with a thread pool of its own would spin against ours (4-6 times
// slower, measured on small models), so then it gets one thread. Starts from OpenMP's default; at least 1. Batches are
// cut by their number. No more of them work at once than there are cores, than OMP_THREAD_LIMIT allows and than OpenMP
// grants when it is tried: BLAS is told that number, for it waits for every thread that it was promised.
// std::runtime_error if ulimit -v does not leave the addresses that BLAS needs for them (check_blas_buffers).
void set_threads(int threads);
int threads();
bool in_parallel();  // whether this code is a part of a parallel loop already

// While it lives, one thread does the work of all threads(), whose number stays what batches are cut by. Only parts of
// parallel loops, where BLAS has one thread anyway, keep their bytes: several cut sums of 1000 apart, of 2400 not.
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

// While it lives, this code is a part of a parallel loop, though the same thread may run the others before and after.
class InParallel {
 public:
  InParallel();
  ~InParallel();
  InParallel(const InParallel&) = delete;
  InParallel& operator=(const InParallel&) = delete;

 private:
  bool before_;
};

// Numbers below 1e-38 count as zero in every thread: on a CPU they are slow (100 times), and gradients through long
// sequences are full of them. Programs call it once, at start. Without effect on other CPUs than x86.
void flush_denormals();

// The buffers of OpenBLAS, and a limit of addresses (ulimit -v, ulimit -d). OpenBLAS maps a buffer of 128 MiB for each
// of its threads and one more for each of its callers, and where the system refuses one it tries again without end. So
// a program that has a limit looks first, and takes all of them at the start.

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
