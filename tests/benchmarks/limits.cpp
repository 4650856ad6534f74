#include "tests/benchmarks/limits.h"

#include "autograd/internal/simd.h"
#include "autograd/kernels/gemm.h"
#include "autograd/threads/openmp.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace benchmarks {
namespace {

using autograd::Array;
using autograd::Lanes;
using autograd::Real;

constexpr double enough = 0.3;  // seconds per measurement

Real total(const Real* __restrict x, std::size_t n) {
  Lanes s[4] = {Lanes(0), Lanes(0), Lanes(0), Lanes(0)};  // with one sum, the adder's latency would be measured
  for (std::size_t i = 0; i + 4 * autograd::lane_count <= n; i += 4 * autograd::lane_count)
    for (std::size_t k = 0; k < 4; ++k) s[k] += Lanes::load_unaligned(x + i + k * autograd::lane_count);
  return autograd::sum(s[0] + s[1] + s[2] + s[3]);
}

void triad(Real* __restrict y, const Real* __restrict x, const Real* __restrict z, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + 2 * z[i];
}

// Seconds for one work(first, size) over n numbers, where each thread does its share. The work is repeated until one
// timing takes at least a tenth of a millisecond.
template <class Work>
double shared_out(std::size_t n, const Work& work) {
  const std::size_t repeats = std::max<std::size_t>(1, 1000000 / std::max<std::size_t>(n, 1));
  const auto all = [&] {
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t share = n / threads, first = share * static_cast<std::size_t>(omp_get_thread_num());
      for (std::size_t i = 0; i < repeats; ++i) work(first, share);
    }
  };
  return median_seconds(all, enough) / double(repeats);
}

template <class Function>
void apply(Function f, const Real* __restrict x, Real* __restrict y, std::size_t size) {
  autograd::for_lanes(size,
                      [&](std::size_t i, std::size_t n) { autograd::store(y + i, f(autograd::load(x + i, n)), n); });
}

// Evaluations of f per second: each thread applies f repeatedly to numbers in (-2, 2), which fit into its L1 cache.
template <class Function>
double rate(const Function& f) {
  constexpr std::size_t size = 2048;
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  Array x({threads * size}), y({threads * size});
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Real(4) * Real(i % size) / Real(size) - 2;
  const double time = shared_out(
      x.size(), [&](std::size_t first, std::size_t share) { apply(f, x.data() + first, y.data() + first, share); });
  return double(x.size()) / time;
}

}  // namespace

double sgemm_peak() {
  const std::size_t n = 2048;
  Array a({n, n}, 1), b({n, n}, 1), c({n, n});
  const double time = median_seconds([&] { gemm(matrix(a), matrix(b), c, autograd::Into::overwrite); }, enough);
  return 2.0 * double(n) * double(n) * double(n) / time;
}

double read_bandwidth(std::size_t bytes) {
  const Array x({bytes / sizeof(Real)}, 1);
  volatile Real sink = 0;
  const double time = shared_out(x.size(), [&](std::size_t first, std::size_t share) {
    const Real sum = total(x.data() + first, share);
    if (sum < 0) sink = sum;
  });
  return double(bytes) / time;
}

double stream_bandwidth(std::size_t bytes) {
  const std::size_t n = bytes / sizeof(Real) / 3;
  Array x({n}, 1), y({n}, 1), z({n}, 1);
  const double time = shared_out(n, [&](std::size_t first, std::size_t share) {
    triad(y.data() + first, x.data() + first, z.data() + first, share);
  });
  return double(bytes) / time;
}

double exp_rate() {
  return rate([](const Lanes& x) { return xsimd::exp(x); });
}
double tanh_rate() {
  return rate([](const Lanes& x) { return autograd::tanh(x); });
}

}  // namespace benchmarks
