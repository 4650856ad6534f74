// This file is the experiment `reproduce flash` (Dao et al. 2022). It measures the time and the memory of tiled
// attention (FlashAttention) against length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/experiments/experiment.h"
#include "autograd/kernels.h"
#include "autograd/memory.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/stopwatch.h"
#include "autograd/var.h"
#include "layers/attention/scaled_dot_product.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using autograd::Real;
using autograd::Var;

constexpr std::size_t heads = 4, head = 32;
const std::vector<std::size_t> lengths{128, 256, 512, 1024, 2048, 4096};

Var normals(std::size_t n, autograd::Random& random) {
  Array a({n, 1, heads * head});
  for (Real& x : a.span()) x = static_cast<Real>(random.normal());
  return autograd::variable(a);
}

struct Cost {
  double milliseconds = 1e9, megabytes = 0;  // forward and backward; best time of three
  Array context, gradient;                   // attention output; gradient of the queries
};

Cost measured(std::size_t n, bool tiled) {
  const autograd::KernelsInForce in_force(tiled ? autograd::Kernels::tiled : autograd::Kernels::fused);
  Cost cost;
  for (int i = 0; i < 3; ++i) {
    autograd::Random random(1);
    const Var q = normals(n, random), k = normals(n, random), v = normals(n, random);
    const std::size_t before = autograd::array_bytes().now;
    autograd::forget_most_array_bytes();
    const autograd::Stopwatch watch;
    const Var context = layers::attention(q, k, v, heads, {}, layers::ReturnWeights::no).context;
    backward(sum(context * context));
    cost.milliseconds = std::min(cost.milliseconds, 1e3 * watch.seconds());
    cost.megabytes = static_cast<double>(autograd::array_bytes().most - before) / 1e6;
    cost.context = context.value(), cost.gradient = q.grad();
  }
  return cost;
}

// Returns the largest difference, divided by the largest number of a.
double apart(const Array& a, const Array& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(a[i])));
  }
  return difference / largest;
}

LineChart chart_of(const std::string& title) {
  LineChart chart{.title = title + ", logarithmic", .x_title = "words", .x = {}, .series = {}, .context = {}};
  chart.logarithmic = true;
  for (const std::size_t n : lengths) chart.x.push_back(std::to_string(n));
  chart.series = {{"weights stored", 0, {}}, {"tiled", 1, {}}};
  return chart;
}

ExperimentResult run(std::size_t, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Attention with {} heads of size {} over one sentence, forward and backward. Memory is the peak of all arrays. "
      "Difference: the largest deviation of context and gradient, relative to the largest value.",
      heads, head);
  shown.columns = {"words", "stored, MB", "tiled, MB", "stored, ms", "tiled, ms", "difference"};
  LineChart memory = chart_of("MB"), time = chart_of("ms");
  std::vector<Cost> kept, tiles;
  double worst = 0;
  for (const std::size_t n : lengths) {
    report(fmt::format("[{}/{}] {} words", kept.size() + 1, lengths.size(), n));
    kept.push_back(measured(n, false)), tiles.push_back(measured(n, true));
    const Cost &a = kept.back(), &b = tiles.back();
    const double deviation = std::max(apart(a.context, b.context), apart(a.gradient, b.gradient));
    worst = std::max(worst, deviation);
    const auto add = [](LineChart& chart, std::size_t i, double x) {
      chart.series[i].values.push_back(data::MeanAndRange{x, x, x, 1});
    };
    add(memory, 0, a.megabytes), add(memory, 1, b.megabytes), add(time, 0, a.milliseconds),
        add(time, 1, b.milliseconds);
    shown.rows.push_back({std::to_string(n), fmt::format("{:.1f}", a.megabytes), fmt::format("{:.1f}", b.megabytes),
                          fmt::format("{:.1f}", a.milliseconds), fmt::format("{:.1f}", b.milliseconds),
                          fmt::format("{:.0e}", deviation)});
  }
  fit_axes({&memory, 1}), fit_axes({&time, 1});
  shown.charts = {memory, time};
  const std::size_t last = lengths.size() - 1;
  const double squares = kept[last].megabytes / kept[last - 1].megabytes,
               line = tiles[last].megabytes / tiles[last - 1].megabytes;
  shown.claims = {
      {"Memory grows quadratically if the weights are stored, and linearly with tiles",
       {squares > 3 && line < 2.2, fmt::format("from 2,048 to 4,096 words {:.1f}× and {:.1f}×", squares, line)}},
      {"At 4,096 words, tiled attention needs at most a tenth of the memory",
       {tiles[last].megabytes <= kept[last].megabytes / 10,
        fmt::format("{:.0f} MB, stored {:.0f} MB", tiles[last].megabytes, kept[last].megabytes)}},
      {"At 4,096 words, tiled attention takes at most 1.1× the time",
       {tiles[last].milliseconds <= 1.1 * kept[last].milliseconds,
        fmt::format("{:.0f} ms, stored {:.0f} ms", tiles[last].milliseconds, kept[last].milliseconds)}},
      {"Both compute the same attention", {worst < 1e-5, fmt::format("difference at most {:.0e}", worst)}}};
  return shown;
}

}  // namespace

SmallExperiment flash() { return {"flash", "FlashAttention: tiled attention needs linear memory", run}; }

}  // namespace softalign::apps
