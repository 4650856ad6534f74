// What this machine can do at most, measured in this process with the threads that are set.
#pragma once

#include <cstddef>

namespace benchmarks {

double sgemm_peak();                       // FLOP/s of a 2048^3 product
double read_bandwidth(std::size_t bytes);  // bytes/s of adding up so many bytes, again and again
double stream_bandwidth(
    std::size_t bytes);  // bytes/s of y = x + 2 z (Stream's triad), the three arrays so large together
double exp_rate();       // exp/s over numbers that lie in the first cache, in vector lanes
double tanh_rate();      // tanh/s likewise

}  // namespace benchmarks
