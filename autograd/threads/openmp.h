// This header declares OpenMP's functions. In a build without OpenMP, it defines the same functions for one thread.
#pragma once
#ifdef _OPENMP
#include <omp.h>
#else
namespace softalign {
inline int omp_get_max_threads() { return 1; }
inline int omp_get_num_threads() { return 1; }
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; }
inline int omp_get_thread_limit() { return 1; }
inline int omp_in_parallel() { return 0; }
inline int omp_get_max_active_levels() { return 1; }
inline void omp_set_max_active_levels(int) {}
inline void omp_set_dynamic(int) {}
inline void omp_set_num_threads(int) {}
}  // namespace softalign
#endif
