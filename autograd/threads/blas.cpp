#include "autograd/threads/blas.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/threads/internal/blas_library.h"
#include "autograd/threads/openmp.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace softalign::autograd {
namespace {

constexpr int most_threads = 1024;  // limits OpenMP's default, because OMP_NUM_THREADS may be any number

int given = 0;      // threads, set by set_threads; 0: OpenMP's default
int granted = 0;    // how many of them can work at once, set by set_threads
int unlimited = 0;  // threads that would work without the current ThreadLimit; 0: there is no limit
thread_local bool part_of_loop = false;

// measure_team returns how many threads OpenMP really gives to a parallel region of `threads` threads. OpenBLAS divides
// its work among the threads that it expects and waits for all of them. With fewer threads, it would never finish.
// OMP_DYNAMIC and OMP_MAX_ACTIVE_LEVELS=0 let OpenMP give fewer threads. measure_team overrules both, because results
// depend on the number of threads.
int measure_team([[maybe_unused]] int threads) {
  omp_set_dynamic(0);
  if (omp_get_max_active_levels() < 1) omp_set_max_active_levels(1);
  int team = 1;
#pragma omp parallel num_threads(threads)
#pragma omp master
  team = omp_get_num_threads();
  return team;
}

}  // namespace

std::vector<std::string> blas_warnings() {
  std::vector<std::string> warnings = blas_library_warnings();
  if (given > granted)
    warnings.push_back(fmt::format("{} threads are asked for, of which {} can work at once here{}", given, granted,
                                   granted < omp_get_num_procs() ? " (OMP_THREAD_LIMIT)" : ""));
  return warnings;
}

void set_threads(int threads) {
  given = std::max(threads, 1);
  granted = measure_team(std::min({given, omp_get_num_procs(), omp_get_thread_limit()}));
  check_blas_buffers(granted);
  omp_set_num_threads(granted);
  set_blas_threads(granted);
}

int threads() {
  if (given > 0) return given;
  return unlimited > 0 ? unlimited : std::min({omp_get_max_threads(), omp_get_thread_limit(), most_threads});
}
bool in_parallel() { return part_of_loop || omp_in_parallel() != 0; }

ThreadLimit::ThreadLimit(int threads) : before_(omp_get_max_threads()), all_before_(unlimited) {
  if (unlimited == 0) unlimited = before_;
  omp_set_num_threads(std::clamp(threads, 1, before_));  // OpenBLAS with OpenMP also reads this number at every call
}
ThreadLimit::~ThreadLimit() {
  omp_set_num_threads(before_);
  unlimited = all_before_;
}

AllThreads::AllThreads() : before_(omp_get_max_threads()) {
  if (unlimited > 0) omp_set_num_threads(unlimited);
}
AllThreads::~AllThreads() { omp_set_num_threads(before_); }

InParallel::InParallel() : before_(std::exchange(part_of_loop, true)) {}
InParallel::~InParallel() { part_of_loop = before_; }

void flush_denormals() {
#if defined(__x86_64__)
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  const auto flush = [] { _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero); };
  flush();  // LLVM's OpenMP copies this setting to the threads of a region; GNU's keeps one setting per thread
#pragma omp parallel
  flush();
#endif
}

}  // namespace softalign::autograd
