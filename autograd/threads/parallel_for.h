// Loops that threads may share.
#pragma once

#include <omp.h>

#include <cstddef>

namespace softalign::autograd {

// Row loops run on several threads only where so many numbers pay for waking them.
inline constexpr std::size_t parallel_from = 16384;

// work(i) for every i from begin to end, on all threads if that is worth it and this is no part of such a loop already.
// OpenMP opens a team even for one thread, and ending it is a call of the system, which takes longer than most small
// loops: those are plain ones.
template <class Work>
void parallel_for(std::size_t begin, std::size_t end, bool worth, const Work& work) {
  if (!worth || omp_get_max_threads() == 1 || omp_in_parallel() != 0) {
    for (std::size_t i = begin; i < end; ++i) work(i);
    return;
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = begin; i < end; ++i) work(i);
}

}  // namespace softalign::autograd
