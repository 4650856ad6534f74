// micro runs every fused op forward and backward. It compares the time with the op's composed definition and with a
// lower limit. The limit is the longer of two times: the products at the SGEMM peak plus the exps and tanhs at their
// measured rates, or the streaming of the op's memory.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/cli/command_line.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "tests/benchmarks/limits.h"
#include "tests/benchmarks/micro_cases.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace {

using namespace benchmarks;
using autograd::Kernels;
using fused_cases::Chosen;

// The rates are measured once, when the first benchmark needs them.
struct Rates {
  double gemm = sgemm_peak(), exp = exp_rate(), tanh = tanh_rate();
};
const Rates& rates() {
  static const Rates measured;
  return measured;
}

// The least number of seconds that the work can take.
struct Limit {
  double seconds;
  const char* what;
};
Limit limit(const Work& w) {
  static std::map<double, double> bandwidths;  // by bytes, because arrays that fit into a cache stream faster
  const double gemm = w.flops / rates().gemm, functions = w.exps / rates().exp + w.tanhs / rates().tanh;
  const auto [found, fresh] = bandwidths.try_emplace(w.bytes);
  if (fresh) found->second = stream_bandwidth(static_cast<std::size_t>(w.bytes));
  const double memory = w.bytes / found->second;
  if (memory > gemm + functions) return {memory, "memory"};
  return {gemm + functions, gemm > functions ? "GEMM" : "exp, tanh"};
}

std::map<std::string, double> composed_seconds;  // by op and size

void run(benchmark::State& state, const MicroRow& row, const Sizes& z, Kernels form) {
  const MicroCase c = row.make(z);
  const Limit at_least = limit(c.work);
  const Chosen chosen(form);
  const auto start = Clock::now();
  for (auto _ : state) {
    backward(sum(c.op.f(c.op.inputs)));
    for (const autograd::Var& x : c.op.inputs) x.zero_grad();
  }
  const double seconds = seconds_since(start) / double(state.iterations());
  state.SetLabel(at_least.what);
  state.counters["percent_of_limit"] = 100 * at_least.seconds / seconds;
  const std::string name = fmt::format("{}/{}", row.op, z.name);
  if (form == Kernels::composed) composed_seconds[name] = seconds;
  else if (composed_seconds.contains(name)) state.counters["times_composed"] = composed_seconds[name] / seconds;
}

void register_all() {
  for (const MicroRow& row : micro_table)
    for (const Sizes& z : known_sizes)
      for (const Kernels form : {Kernels::composed, Kernels::fused}) {
        const std::string name = fmt::format("{}/{}/{}", row.op, z.name, form == Kernels::fused ? "fused" : "composed");
        benchmark::RegisterBenchmark(name.c_str(), [&row, &z, form](benchmark::State& s) { run(s, row, z, form); })
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond);
      }
}

}  // namespace

int main(int argc, char** argv) {
  // Google Benchmark parses its own options. The other options are those of every program.
  std::vector<char*> own{argv[0]}, benchmarks{argv[0]};
  for (int i = 1; i < argc; ++i)
    (std::string(argv[i]).rfind("--benchmark_", 0) == 0 ? benchmarks : own).push_back(argv[i]);
  apps::CommonOptions common{.threads = 1};
  apps::CommandLine line(
      "micro", "Every fused op, forwards and backwards, beside its composed definition and its limit.",
      {"micro", "micro --threads 2 --benchmark_filter=toy", "micro --benchmark_format=json --benchmark_filter=lstm"},
      common);
  line.add_note("--benchmark_filter, --benchmark_min_time, --benchmark_format and more are Google Benchmark's.");
  return line.run(static_cast<int>(own.size()), own.data(), [&] {
    int count = static_cast<int>(benchmarks.size());
    benchmark::Initialize(&count, benchmarks.data());
    if (count > 1) throw apps::UsageError(fmt::format("{} is no option of Google Benchmark", benchmarks[1]));
    register_all();
    if (benchmark::RunSpecifiedBenchmarks() == 0) throw apps::UsageError("no benchmark has such a name");
    benchmark::Shutdown();
    return 0;
  });
}
