#include "tests/benchmarks/training.h"

#include <fmt/format.h>

#include <cstdlib>

#include "autograd/kernels/pool.h"
#include "autograd/profile.h"
#include "tests/benchmarks/limits.h"
#include "tests/benchmarks/operations.h"
#include "tests/benchmarks/profile_report.h"
#include "tests/benchmarks/timing.h"

using namespace softalign;

namespace benchmarks {

using nlohmann::json;

namespace {

// The profile of the fastest step, because other programs disturbed it least.
autograd::Profile::Entries fastest_profile(Trainee& trainee, const data::Batch& batch, double enough) {
  autograd::Profile::Entries best;
  const auto start = Clock::now();
  for (int step = 0; step < 3 || seconds_since(start) < enough; ++step) {
    const autograd::Profile profile;
    trainee.learn(batch);
    autograd::Profile::add_time("optimiser");  // time since the gradients: clipping, update, clearing
    if (best.empty() || total(profile.entries()) < total(best)) best = profile.entries();
  }
  return best;
}

}  // namespace

json measure_training(const Conditions& c, Trainee& trainee) {
  const data::Batch batch = random_batch(c.sizes, trainee.random);
  double loss = 0;
  std::size_t steps = 0;
  const auto start = Clock::now();
  const double step = median_seconds(
      [&] {
        loss = trainee.learn(batch).loss();
        ++steps;
      },
      c.seconds);
  const double mean = seconds_since(start) / double(steps);  // the median hides steps that other programs slow down
  const double resident = peak_resident_mb();                // measured before other parts take memory
  const autograd::PoolStatistics before = autograd::pool_statistics();

  json result = report(fastest_profile(trainee, batch, c.seconds / 5));
  const std::size_t asked = autograd::pool_statistics().system_calls - before.system_calls;

  const double words = double(c.sizes.B * c.sizes.T) / step, rate = training_flops(c.sizes, c.model) / step,
               peak = sgemm_peak();
  fmt::print("step {:.2f} ms, {:.0f} target words/s, loss {:.3f}\n", 1e3 * step, words, loss);
  fmt::print("{:.0f} GFLOP/s, {:.1f}% of the SGEMM peak {:.0f}\n", 1e-9 * rate, 100 * rate / peak, 1e-9 * peak);
  fmt::print("peak resident memory {:.0f} MB; the profiled steps asked the system for memory {} times\n", resident,
             asked);
  result.update({{"train_step_ms", 1e3 * step},
                 {"train_tok_s", words},
                 {"train_tok_s_mean", double(c.sizes.B * c.sizes.T) / mean},
                 {"gflop_step", 1e-9 * rate * step},
                 {"gflops", 1e-9 * rate},
                 {"peak_gflops", 1e-9 * peak},
                 {"share_of_peak", rate / peak},
                 {"rss_train_mb", resident},
                 {"loss", loss}});
  return result;
}

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

json measure_start(const Conditions& c, Trainee& trainee, double main_began) {
  const double loss = trainee.learn(random_batch(c.sizes, trainee.random)).loss();
  const double end = wall_clock();
  const char* given = std::getenv("PEER_T0");
  const double seconds = end - (given ? std::strtod(given, nullptr) : main_began);
  fmt::print("{:.3f} s from the start of {} to the end of the first training step; loss {:.3f}\n", seconds,
             given ? "the process" : "main", loss);
  return {{"start_to_first_step_s", seconds}};
}

json measure_drift(const Conditions& c, Trainee& trainee) {
  constexpr int intervals = 10;
  const auto between = [&](std::size_t longest) {  // a random length from half of `longest` to all of it
    return longest - trainee.random.below(longest / 2 + 1);
  };
  json lines = json::array();
  std::size_t steps = 0, steps_before = 0;
  const auto start = Clock::now();
  for (int interval = 1; interval <= intervals; ++interval) {
    const auto began = Clock::now();
    do {
      Sizes z = c.sizes;
      z.S = between(z.S);
      z.T = between(z.T);
      trainee.learn(random_batch(z, trainee.random));
      ++steps;
    } while (seconds_since(start) < c.seconds * interval / intervals);
    const double rate = double(steps - steps_before) / seconds_since(began), resident = resident_mb();
    steps_before = steps;
    fmt::print("{:6.0f} s: {:.1f} steps/s, {:.1f} MB resident\n", seconds_since(start), rate, resident);
    std::fflush(stdout);
    lines.push_back({{"steps_s", rate}, {"resident_mb", resident}});
  }
  // The first interval includes the warm-up, so the second one is the reference.
  const double slower = lines[1]["steps_s"].get<double>() / lines.back()["steps_s"].get<double>(),
               larger = lines.back()["resident_mb"].get<double>() - lines[1]["resident_mb"].get<double>();
  fmt::print("{} steps; from the second line to the last: {:.3f} times slower, {:+.1f} MB\n", steps, slower, larger);
  return {{"drift", lines}, {"times_slower", slower}, {"grown_mb", larger}};
}

}  // namespace benchmarks
