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

// Calls work(i) for every i from `begin` to end - 1. The function uses all threads if `worth` is true, unless its
// caller runs in a parallel loop already. Otherwise it runs a plain loop. OpenMP would open a team even for one thread,
// and closing the team takes longer than most small loops.
template <class Work>
void parallel_for(std::size_t begin, std::size_t end, bool worth, const Work& work) {
  if (!shares(worth)) {
    for (std::size_t i = begin; i < end; ++i) work(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = begin; i < end; ++i) work(i);
}

}  // namespace softalign::autograd
