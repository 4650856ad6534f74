// This file is the experiment `reproduce fast-weights` (Schlag et al. 2021). It measures how many pairs a matrix of
// fast weights can store, and how it replaces values.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "models/fast_weights/associative_recall.h"

namespace softalign::apps {

namespace {

using Memory = models::AssociativeRecall::Memory;
using layers::FeatureMap;

struct Kind {
  std::string name;
  Memory memory;
  FeatureMap map;
};
const std::vector<Kind> kinds{{"softmax", Memory::softmax, FeatureMap::elu_plus_one},
                              {"linear, elu + 1", Memory::linear, FeatureMap::elu_plus_one},
                              {"linear, DPFP", Memory::linear, FeatureMap::dpfp},
                              {"sum, elu + 1", Memory::sum, FeatureMap::elu_plus_one},
                              {"sum, DPFP", Memory::sum, FeatureMap::dpfp},
                              {"delta, elu + 1", Memory::delta, FeatureMap::elu_plus_one},
                              {"delta, DPFP", Memory::delta, FeatureMap::dpfp}};

struct Task {
  std::string title, name;
  std::size_t pairs;
};
const std::vector<Task> tasks{{"8 keys", "recall", 8}, {"24 keys", "recall", 24}, {"repeated keys", "rewrite", 8}};

constexpr std::size_t steps = 700, B = 64, tested = 1000, symbols = 26;

// Found has percentages. `hit` counts how often the largest attention weight is on the pair with the answer.
struct Found {
  double accuracy = 0;
  std::optional<double> hit;
};

Found recalled(const Kind& kind, const Task& task, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const models::AssociativeRecall model({.memory = kind.memory, .map = kind.map, .keys = symbols, .values = symbols},
                                        params);
  const std::size_t length = 2 * task.pairs + 1;
  const SequenceBatches batches(task.name, length, B, steps, seed);
  learn(params, steps, 5e-3, [&](std::size_t step) {
    const Recalled batch = batches.recalled(step);
    return mean(cross_entropy(model(batch.keys, batch.values, batch.asked).logits, batch.answers, {.ignore = -1}));
  });
  const autograd::NoGrad no_grad;
  const Recalled test = SequenceBatches(task.name, length, tested, 1, early_test_seed).recalled(0);
  const auto [logits, weights] = model(test.keys, test.values, test.asked);
  const auto accuracy = [&](const autograd::Var& rows, std::size_t width, const autograd::Ids& right) {
    Hits hits;
    for (std::size_t b = 0; b < tested; ++b) hits.count(largest(rows, b, width) == static_cast<std::size_t>(right[b]));
    return hits.percent();
  };
  return {accuracy(logits, symbols, test.answers),
          weights.defined() ? std::optional(accuracy(weights, test.n, test.gold)) : std::nullopt};
}

const std::vector<std::size_t> in_chart{0, 1, 3, 4};  // indices in `kinds`
const std::vector<std::size_t> numbers_of_keys{4, 8, 12, 16, 20, 24};

struct Measured {
  std::optional<data::MeanAndRange> accuracy, hit;
};
Measured measured(const Kind& kind, const Task& task, std::size_t seeds) {
  std::vector<std::optional<double>> accuracy, hit;
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    const Found found = recalled(kind, task, seed);
    accuracy.emplace_back(found.accuracy), hit.push_back(found.hit);
  }
  return {data::mean_and_range(accuracy), data::mean_and_range(hit)};
}

LineChart capacity(std::size_t seeds) {
  LineChart chart{.title = "accuracy, percent", .x_title = "keys, each of width 16", .x = {}, .series = {}, .context = {}};
  chart.high = 100, chart.low = 80;
  for (const std::size_t keys : numbers_of_keys) chart.x.push_back(std::to_string(keys));
  for (const std::size_t k : in_chart) {
    Series series{kinds[k].name, chart.series.size(), {}};
    for (const std::size_t keys : numbers_of_keys)
      series.values.push_back(measured(kinds[k], {"", "recall", keys}, seeds).accuracy);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "The model reads pairs of a key and a value, and then has to give the value of one key. The width is 32; keys "
      "have 16 "
      "numbers, which DPFP maps to 32. Training takes {} steps of {}; the test has {} other texts. Accuracy in "
      "percent; in "
      "brackets, how often the largest weight is on the right pair. Repeated keys: eight pairs with four keys, where "
      "the last value of a key is right.",
      steps, B, tested);
  shown.columns = {"memory"};
  for (const Task& task : tasks) shown.columns.push_back(task.title);
  std::map<std::pair<std::string, std::string>, double> mean;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size() + 1, kinds[k].name));
    std::vector<std::string> row{kinds[k].name};
    for (const Task& task : tasks) {
      const Measured reached = measured(kinds[k], task, seeds);
      mean[{kinds[k].name, task.title}] = reached.accuracy->mean;
      row.push_back(to_text(reached.accuracy, 1));
      if (reached.hit) row.back() += fmt::format(" ({})", mean_text(reached.hit, 0));
    }
    shown.rows.push_back(std::move(row));
  }
  report(fmt::format("[{0}/{0}] against the number of keys", kinds.size() + 1));
  shown.charts.push_back(capacity(seeds));
  const auto at = [&](const char* kind, const char* task) { return mean.at({kind, task}); };
  const double others = std::max({at("softmax", "repeated keys"), at("linear, elu + 1", "repeated keys"),
                                  at("linear, DPFP", "repeated keys"), at("sum, elu + 1", "repeated keys"),
                                  at("sum, DPFP", "repeated keys")});
  shown.claims = {
      {"Softmax attention finds any number of keys",
       {at("softmax", "24 keys") >= 99, fmt::format("24 keys {:.1f}", at("softmax", "24 keys"))}},
      {"A sum of more keys than the width of a key overloads the memory (section 3)",
       {std::max(at("linear, elu + 1", "24 keys") - at("linear, elu + 1", "8 keys"),
                 at("sum, elu + 1", "24 keys") - at("sum, elu + 1", "8 keys")) < -5,
        fmt::format("elu + 1, width 16: 8 keys {:.1f} and {:.1f}, 24 keys {:.1f} and {:.1f}",
                    at("linear, elu + 1", "8 keys"), at("sum, elu + 1", "8 keys"), at("linear, elu + 1", "24 keys"),
                    at("sum, elu + 1", "24 keys"))}},
      {"A feature map to a larger width restores the capacity (section 5)",
       {std::min(at("linear, DPFP", "24 keys"), at("sum, DPFP", "24 keys")) >= 97,
        fmt::format("DPFP, width 32: {:.1f} and {:.1f}", at("linear, DPFP", "24 keys"), at("sum, DPFP", "24 keys"))}},
      {"Only the delta rule can replace a value (section 4.2)",
       {std::min(at("delta, elu + 1", "repeated keys"), at("delta, DPFP", "repeated keys")) >= 97 && others < 90,
        fmt::format("delta {:.1f} and {:.1f}, best of the others {:.1f}", at("delta, elu + 1", "repeated keys"),
                    at("delta, DPFP", "repeated keys"), others)}}};
  return shown;
}

}  // namespace

SmallExperiment fast_weights() {
  return {"fast-weights", "Fast weights: capacity of a matrix, and replacing values", run};
}

}  // namespace softalign::apps
