// Loops that threads may share.
#pragma once

#include <cstddef>

#include "autograd/threads/openmp.h"

namespace softalign::autograd {

// Row loops use several threads only from this number of elements on, because waking threads costs time.
inline constexpr std::size_t parallel_from = 16384;

// Calls work(i) for every i from begin to end. It uses all threads if that is worth it and the caller is not in such a
// loop already. Small loops are plain loops, because OpenMP opens a team even for one thread, and closing it takes
// longer than most small loops.
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
