// This file has a parallel loop: several threads may share its iterations.
#pragma once

#include <cstddef>

#include "autograd/threads/openmp.h"

namespace softalign::autograd {

// A loop over rows uses several threads only if it has at least parallel_from elements, because waking threads takes
// time.
inline constexpr std::size_t parallel_from = 16384;

// Returns whether parallel_for would use several threads.
inline bool shares(bool worth) { return worth && omp_get_max_threads() > 1 && omp_in_parallel() == 0; }

// Calls work(i) for every i from `begin` to end - 1. The loop is parallel if `worth` is true, there are several
// threads, and the caller does not run in a parallel loop already. Otherwise it is a plain loop, because starting and
// ending a parallel loop of OpenMP takes longer than most small loops, even with one thread.
template <class Work>
void parallel_for(std::size_t begin, std::size_t end, bool worth, const Work& work) {
  if (!shares(worth)) {
    for (std::size_t i = begin; i < end; ++i) work(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = begin; i < end; ++i) work(i);
}

// A simple loop over the elements of an array, for example y = a + b, uses several threads only if it has at least
// long_loop elements.
inline constexpr std::size_t long_loop = 65536;

// Calls work(begin, size) for parts of an array of n elements, on several threads if the array is long. Each part but
// the last one consists of complete vector registers, because functions such as exp round numbers outside of a vector
// register differently. The results therefore do not depend on the number of threads.
template <class Work>
void in_parts(std::size_t n, const Work& work) {
  if (!shares(n >= long_loop)) return work(std::size_t{0}, n);
  constexpr std::size_t part = 8192;
  parallel_for(0, (n + part - 1) / part, true, [&](std::size_t i) {
    const std::size_t begin = i * part;
    work(begin, n - begin < part ? n - begin : part);
  });
}

}  // namespace softalign::autograd
