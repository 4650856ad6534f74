// This file is the experiment `reproduce pooling`, which shows attention as kernel regression (Nadaraya 1964, Watson
// 1964).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/experiments/experiment.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "layers/pooling/kernel_pooling.h"
#include "models/training/step.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using autograd::Real;
using autograd::Var;
using layers::Kernel;
using layers::KernelPooling;
using layers::LeaveOneOut;

constexpr std::size_t points = 50, places = 51;
constexpr double end = 5;

double curve(double x) { return 2 * std::sin(x) + std::pow(x, 0.8); }

// SyntheticExample has points of the curve with Gaussian noise (standard deviation 0.5). The curve is predicted at the
// positions of `grid`.
struct SyntheticExample {
  Var x, y, grid;
};
SyntheticExample sampled_data(std::uint64_t seed) {
  autograd::Random random(seed);
  Array x({points, 1}), y({points, 1}), grid({places, 1});
  for (std::size_t i = 0; i < points; ++i) {
    x[i] = static_cast<Real>(end * random.uniform());
    y[i] = static_cast<Real>(curve(x[i]) + 0.5 * random.normal());
  }
  for (std::size_t m = 0; m < places; ++m) grid[m] = static_cast<Real>(end * static_cast<double>(m) / (places - 1));
  return {autograd::constant(x), autograd::constant(y), autograd::constant(grid)};
}

double squared_error(const Array& f, const SyntheticExample& data) {
  double sum = 0;
  for (std::size_t m = 0; m < places; ++m) sum += std::pow(static_cast<double>(f[m]) - curve(data.grid.value()[m]), 2);
  return sum / places;
}

struct Fit {
  Array f;       // values on the grid
  double w = 0;  // 1 / width of the kernel
};

Fit with_width(Kernel kernel, double w, const SyntheticExample& data) {
  const Var width = autograd::constant(Array({1}, static_cast<Real>(w)));
  return {kernel_pooling(kernel, width, data.grid, data.x, data.y).values.value(), w};
}

Fit nearest(const SyntheticExample& data) {
  Array f({places, 1});
  for (std::size_t m = 0; m < places; ++m) {
    std::size_t best = 0;
    const auto distance = [&](std::size_t i) { return std::abs(data.x.value()[i] - data.grid.value()[m]); };
    for (std::size_t i = 1; i < points; ++i)
      if (distance(i) < distance(best)) best = i;
    f[m] = data.y.value()[best];
  }
  return {f, 0};
}

Fit learnt(LeaveOneOut leave_one_out, const SyntheticExample& data) {
  const autograd::Params params{autograd::Random(1)};
  const KernelPooling pooling(params, Kernel::gaussian);
  autograd::Optimiser adam(params, {});
  for (int step = 0; step < 300; ++step) {
    const auto run_batch = [&](std::size_t) {
      const Var loss = mean(square(pooling(data.x, data.x, data.y, leave_one_out).values - data.y));
      backward(loss);
      return static_cast<double>(loss.value().item());
    };
    models::training_step(params, adam, 1, run_batch, {.learning_rate = 0.1, .clip = 0});
  }
  return with_width(Kernel::gaussian, static_cast<double>(pooling.w.value().item()), data);
}

struct Method {
  std::string name;
  std::function<Fit(const SyntheticExample&)> fit;
  bool in_chart;
};
const std::vector<Method> methods{
    {"mean of all points", [](const SyntheticExample& d) { return with_width(Kernel::gaussian, 0, d); }, true},
    {"Gaussian kernel of width 1", [](const SyntheticExample& d) { return with_width(Kernel::gaussian, 1, d); }, true},
    {"Epanechnikov kernel of width 1", [](const SyntheticExample& d) { return with_width(Kernel::epanechnikov, 1, d); },
     false},
    {"triangular kernel of width 1", [](const SyntheticExample& d) { return with_width(Kernel::triangular, 1, d); },
     false},
    {"nearest point", nearest, false},
    {"Gaussian kernel, learned width", [](const SyntheticExample& d) { return learnt(LeaveOneOut::yes, d); }, true},
    {"the same, with the point itself visible", [](const SyntheticExample& d) { return learnt(LeaveOneOut::no, d); },
     false}};

LineChart drawing() {
  const SyntheticExample data = sampled_data(1);
  LineChart chart{.title = "50 noisy points of a curve, seed 1", .x_title = "x", .x = {}, .series = {}, .context = {}};
  chart.width = 560, chart.height = 320;
  const auto line = [&](const std::string& name, const std::function<double(std::size_t)>& y) {
    Series series{name, chart.series.size(), {}};
    for (std::size_t m = 0; m < places; ++m) series.values.push_back(data::MeanAndRange{y(m), y(m), y(m), 1});
    chart.series.push_back(std::move(series));
  };
  for (std::size_t m = 0; m < places; ++m) chart.x.push_back(fmt::format("{:.1f}", data.grid.value()[m]));
  line("the curve", [&](std::size_t m) { return curve(data.grid.value()[m]); });
  for (const Method& method : methods)
    if (method.in_chart) {
      const Array f = method.fit(data).f;
      line(method.name, [&](std::size_t m) { return static_cast<double>(f[m]); });
    }
  chart.low = 0, chart.high = 5;
  for (std::size_t i = 0; i < points; ++i) {
    const double y = data.y.value()[i];
    chart.points.push_back({data.x.value()[i] / end * (places - 1), y});
    chart.low = std::min(chart.low, std::floor(y)), chart.high = std::max(chart.high, std::ceil(y));
  }
  return chart;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.least_seeds = 3;
  const std::size_t draws = std::max(seeds, shown.least_seeds);
  report(fmt::format("{} curves of {} points", draws, points));
  shown.setting = fmt::format(
      "The data are y = 2 sin x + x^0.8 with noise of standard deviation 0.5, at {} values of x between 0 and 5. The "
      "error is the mean squared distance from the curve without noise, over {} samples of the data, one per seed. w "
      "is 1 / kernel width.",
      points, draws);
  shown.columns = {"weights", "squared error", "w"};
  std::vector<double> error;
  std::vector<std::optional<data::MeanAndRange>> widths;
  for (const Method& method : methods) {
    std::vector<std::optional<double>> errors, w;
    for (std::size_t seed = 1; seed <= draws; ++seed) {
      const SyntheticExample data = sampled_data(seed);
      const Fit fit = method.fit(data);
      errors.emplace_back(squared_error(fit.f, data)), w.emplace_back(fit.w);
    }
    error.push_back(data::mean_and_range(errors)->mean), widths.push_back(data::mean_and_range(w));
    shown.rows.push_back({method.name, to_text(data::mean_and_range(errors), 3),
                          method.name == "nearest point" ? "-" : to_text(widths.back(), 2)});
  }
  shown.charts.push_back(drawing());
  shown.claims = {{"Weights that depend on distance beat the mean of all points (Nadaraya 1964, Watson 1964)",
                   {error[1] < error[0], fmt::format("error {:.2f}, mean of all points {:.2f}", error[1], error[0])}},
                  {"A learned width beats a width of 1 and the nearest point",
                   {error[5] < std::min(error[1], error[4]),
                    fmt::format("error {:.2f}, width 1 {:.2f}, nearest point {:.2f}", error[5], error[1], error[4])}},
                  {"If each point is visible to itself during training, the learned kernel is narrower but not better",
                   {widths[6]->mean > widths[5]->mean && error[6] >= error[5],
                    fmt::format("w {:.1f} and error {:.3f}; hidden, w {:.1f} and error {:.3f}", widths[6]->mean,
                                error[6], widths[5]->mean, error[5])}}};
  return shown;
}

}  // namespace

SmallExperiment pooling() { return {"pooling", "Attention as kernel regression: a curve from noisy points", run}; }

}  // namespace softalign::apps
