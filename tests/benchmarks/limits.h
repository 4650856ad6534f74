// Limits of this machine, measured in this process with the current number of threads.
#pragma once

#include <cstddef>

namespace benchmarks {

double sgemm_peak();                       // FLOP/s of a 2048 x 2048 x 2048 product
double read_bandwidth(std::size_t bytes);  // bytes/s of repeatedly summing an array of this size
double stream_bandwidth(
    std::size_t bytes);  // bytes/s of y = x + 2 z (STREAM triad); three arrays have this size together
double exp_rate();       // exp/s over numbers in the L1 cache, in vector lanes
double tanh_rate();      // tanh/s, measured like exp_rate

}  // namespace benchmarks
