// These tests check what programs report about the linear algebra library, and that it uses the instructions of the
// CPU.
#include "autograd/threads/blas.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/openmp.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("blas: one line prints the version, variant, kernel and threads") {
  const int before = threads();
  set_threads(1);
#ifdef SOFTALIGN_WITHOUT_BLAS
  const std::string library = "own kernels, no BLAS, ", of_threads = " bits, ";
#else
  const std::string library = "OpenBLAS ", of_threads = " kernel, ";
#endif
  CHECK_THAT(describe_blas(), Catch::StartsWith(library) && Catch::EndsWith(of_threads + "1 thread"));
  set_threads(2);
  CHECK(threads() == 2);
  CHECK_THAT(describe_blas(), Catch::EndsWith(of_threads + "2 threads"));
#ifndef SOFTALIGN_WITHOUT_BLAS
  CHECK_THAT(describe_blas(), Catch::Contains(", OpenMP, "));
#endif
  set_threads(0);
  CHECK(threads() == 1);
  set_threads(before);
}

TEST_CASE("blas: no more threads work than there are cores, and programs print it") {
  const int before = threads(), cores = omp_get_num_procs();
  set_threads(cores + 3);
  CHECK(threads() == cores + 3);
  CHECK(omp_get_max_threads() == cores);
  const auto said = [] {
    for (const std::string& warning : blas_warnings())
      if (warning.find("can work at once") != std::string::npos) return warning;
    return std::string();
  };
  CHECK_THAT(said(), Catch::StartsWith(fmt::format("{} threads are asked for, of which {} can", cores + 3, cores)));
  {
    const ThreadLimit alone(1);
    CHECK(threads() == cores + 3);
    CHECK(omp_get_max_threads() == 1);
    const AllThreads all;
    CHECK(omp_get_max_threads() == cores);
  }
  set_threads(cores);
  CHECK(said().empty());
  set_threads(before);
}

TEST_CASE("blas: the smallest of several limits applies, and all threads return afterwards") {
  const int before = threads();
  set_threads(2);
  const int all = omp_get_max_threads();
  {
    const ThreadLimit two(2);
    CHECK(omp_get_max_threads() == std::min(2, all));
    {
      const ThreadLimit one(1);
      CHECK(omp_get_max_threads() == 1);
      const ThreadLimit many(16);
      CHECK(omp_get_max_threads() == 1);
      const AllThreads again;
      CHECK(omp_get_max_threads() == all);
    }
    CHECK(omp_get_max_threads() == std::min(2, all));
  }
  CHECK(omp_get_max_threads() == all);
  CHECK(threads() == 2);
  set_threads(before);
}

TEST_CASE("blas: a thread that continues without the others changes no thread count") {
  const int before = threads();  // OpenMP's default, unless a test of this process has set it
  const ThreadLimit alone(1);
  CHECK(threads() == before);
  CHECK(omp_get_max_threads() == 1);
}

TEST_CASE("blas: without OPENBLAS_CORETYPE the kernel is as wide as the CPU allows") {
  if (std::getenv("OPENBLAS_CORETYPE")) {
    SUCCEED("the environment chose");
    return;
  }
  CHECK(blas_warnings().empty());
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) CHECK_THAT(describe_blas(), !Catch::Contains("Prescott"));
#endif
}

TEST_CASE("blas: denormals count as zero, in the threads of parallel loops too") {
  flush_denormals();
#if defined(__x86_64__)
  const Real smallest = std::numeric_limits<Real>::min();
  const Var y = constant(Array({1}, smallest)) * Real(0.5);
  CHECK(y.value()[0] == 0);
  int flushed = 0;
#pragma omp parallel num_threads(2)
  {
    volatile Real half = smallest;
    half = half / 2;
#pragma omp atomic
    flushed += half == 0;
  }
  CHECK(flushed == 2);
#endif

  using namespace softalign;
}
