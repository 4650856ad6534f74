// bench: training speed on random data, beside the SGEMM peak measured in the same process.
//   build/bench --config toy --threads 2
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "autograd/blas.h"
#include "autograd/clip.h"
#include "autograd/gemm.h"
#include "autograd/optimiser.h"
#include "models/factory.h"
#include "models/gradient.h"
#include "tests/benchmarks/workload.h"

namespace {

using namespace benchmarks;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Seconds per call: the median over at least 5 calls and `enough` seconds, after two that are not counted.
template <class Work>
double median_seconds(const Work& work, double enough) {
  work();
  work();
  std::vector<double> times;
  for (const auto start = Clock::now(); times.size() < 5 || seconds_since(start) < enough;) {
    const auto call = Clock::now();
    work();
    times.push_back(seconds_since(call));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// FLOP/s of a 2048^3 product.
double sgemm_peak() {
  const std::size_t n = 2048;
  autograd::Array a({n, n}, 1), b({n, n}, 1), c({n, n});
  const double time = median_seconds([&] { gemm(matrix(a), matrix(b), c, autograd::Into::overwrite); }, 1);
  return 2.0 * double(n) * double(n) * double(n) / time;
}

double peak_resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  std::string config = "toy";
  int threads = 2;
  double seconds = 5;
  CLI::App app{"Training speed on random data, beside the SGEMM peak of this process.\nExample: bench --config paper --threads 2"};
  app.add_option("--config", config, "sizes: toy | paper")->check(CLI::IsMember({"toy", "paper"}));
  app.add_option("--threads", threads, "threads")->check(CLI::PositiveNumber);
  app.add_option("--seconds", seconds, "measure at least so long")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const Sizes& z = config == "toy" ? toy : paper;

  autograd::set_threads(threads);
  autograd::flush_denormals();
  fmt::print("{}\n", autograd::describe_blas());
  for (const std::string& warning : autograd::blas_warnings()) fmt::print("warning: {}\n", warning);

  autograd::Random random(1);
  const autograd::Params params(random.split("parameters"));
  const auto model = models::make_model(peer_model(z), params);
  fmt::print("{}: {} parameters; the peer's: {}, and {} in second biases that change nothing\n", z.name, params.count(),
             peer_parameters(z), 12 * z.H);
  if (params.count() != peer_parameters(z)) {
    fmt::print(stderr, "error: the two models differ\n");
    return 1;
  }

  autograd::Optimiser optimiser(params, {});
  const data::Batch batch = random_batch(z, random);
  double loss = 0;
  const double step = median_seconds(
      [&] {
        loss = models::add_gradient(*model, params, batch, {.random = random, .shards = static_cast<std::size_t>(threads)}).words /
               static_cast<double>(target_words(batch));
        autograd::clip_by_global_norm(params, 1);
        optimiser.step(1e-3);
      },
      seconds);
  const double resident = peak_resident_mb(), rate = training_flops(z) / step, peak = sgemm_peak();
  fmt::print("step {:.2f} ms, {:.0f} target tokens/s, {:.0f} GFLOP/s = {:.0f}% of the SGEMM peak {:.0f}; loss {:.3f}, {:.0f} MB\n",
             1e3 * step, double(z.B * z.T) / step, 1e-9 * rate, 100 * rate / peak, 1e-9 * peak, loss, resident);
  const nlohmann::json result{{"config", z.name}, {"threads", threads}, {"train_tok_s", double(z.B * z.T) / step},
                              {"train_step_ms", 1e3 * step}, {"gflops", 1e-9 * rate}, {"peak_gflops", 1e-9 * peak},
                              {"params", params.count()}, {"rss_train_mb", resident}};
  fmt::print("{}\n", result.dump());
}
