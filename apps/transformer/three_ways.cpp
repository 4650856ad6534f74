// This file is the experiment `reproduce three-ways` (Vaswani et al. 2017, section 4). It compares recurrence,
// convolution and self-attention, one layer each.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/experiments/experiment.h"
#include "apps/experiments/sequences.h"
#include "autograd/ops/reduce.h"
#include "autograd/stopwatch.h"
#include "autograd/var.h"

namespace softalign::apps {

namespace {

using Layer = models::Tagger::Layer;
using layers::PositionKind;

struct Reader {
  std::string name;
  Layer layer;
  layers::PositionKind positions;
};
const std::vector<Reader> readers{{"recurrence", Layer::recurrence, PositionKind::none},
                                  {"convolution, width 5", Layer::convolution, PositionKind::none},
                                  {"self-attention, sinusoidal positions", Layer::attention, PositionKind::sinusoidal},
                                  {"self-attention, learned positions", Layer::attention, PositionKind::learned},
                                  {"self-attention, no positions", Layer::attention, PositionKind::none},
                                  {"positions only", Layer::positional, PositionKind::none},
                                  {"positions only, factorized", Layer::factorized, PositionKind::none}};
const std::vector<std::string> tasks{"reverse", "rotate", "twin"};
const std::vector<std::size_t> shown_readers{0, 1, 2};  // readers in the charts

std::string short_name(const Reader& reader) { return reader.name.substr(0, reader.name.find(',')); }

struct Mean {
  double accuracy = 0, hit = 0;
};
using Means = std::map<std::pair<std::size_t, std::string>, Mean>;  // key: reader and task

std::vector<std::vector<std::string>> measure(std::size_t seeds, const ProgressReport& report, Means& means) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t r = 0; r < readers.size(); ++r) {
    report(fmt::format("[{}/{}] {}", r + 1, readers.size() + 2, readers[r].name));
    std::vector<std::string> row{readers[r].name};
    for (const std::string& task : tasks) {
      std::vector<std::optional<double>> accuracy, hit, mass;
      for (std::size_t seed = 1; seed <= seeds; ++seed) {
        const TaggerScores reached =
            TrainedTagger(readers[r].layer, readers[r].positions, {.name = task}, seed).reach(16);
        accuracy.emplace_back(reached.accuracy), hit.push_back(reached.hit), mass.push_back(reached.mass);
      }
      means[{r, task}] = {data::mean_and_range(accuracy)->mean,
                          data::mean_and_range(hit) ? data::mean_and_range(hit)->mean : 0};
      row.push_back(to_text(data::mean_and_range(accuracy), 1));
      row.push_back(data::mean_and_range(hit)
                        ? mean_text(data::mean_and_range(hit), 0) + " / " + mean_text(data::mean_and_range(mass), 0)
                        : "-");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// In a reversed text of n words, the answer at position t is |n-1-2t| words away.
LineChart by_distance(std::size_t seeds) {
  constexpr std::size_t n = 40, bin = 5;
  LineChart chart{.title = "accuracy, reversing 40 words, percent",
                  .x_title = "distance to the word that determines the answer",
                  .x = {},
                  .series = {},
                  .context = {}};
  chart.high = 100;
  for (std::size_t low = 0; low < n; low += bin) chart.x.push_back(fmt::format("{}-{}", low + 1, low + bin));
  for (const std::size_t r : shown_readers) {
    std::vector<std::vector<std::optional<double>>> values(chart.x.size());
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      const TrainedTagger tagger(readers[r].layer, readers[r].positions, {.name = "reverse", .length = n}, seed);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i].emplace_back(tagger
                                   .reach(n,
                                          [&](std::size_t t, std::size_t) {
                                            const std::size_t distance =
                                                n - 1 > 2 * t ? n - 1 - 2 * t : 2 * t - (n - 1);
                                            return (distance - 1) / bin == i;
                                          })
                                   .accuracy);
    }
    Series series{short_name(readers[r]), chart.series.size(), {}};
    for (const auto& value : values) series.values.push_back(data::mean_and_range(value));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Returns the milliseconds of a forward and a backward pass of a layer, the best of five.
double milliseconds(const Reader& reader, std::size_t n) {
  const autograd::Params params(autograd::Random(1));
  const models::Tagger model(
      {.layer = reader.layer, .positions = reader.positions, .words = 8, .labels = 8, .max_positions = n}, params);
  constexpr std::size_t B = 4;
  const Ids words(n * B, 1);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const autograd::Stopwatch watch;
    backward(sum(model(words, B).logits));
    params.zero_grad();
    best = std::min(best, 1e3 * watch.seconds());
  }
  return best;
}

LineChart cost() {
  LineChart chart{.title = "ms of a step", .x_title = "words", .x = {}, .series = {}, .context = {}};
  chart.logarithmic = true;
  const std::vector<std::size_t> lengths{32, 64, 128, 256, 512, 1024};
  for (const std::size_t n : lengths) chart.x.push_back(std::to_string(n));
  for (const std::size_t r : shown_readers) {
    Series series{short_name(readers[r]), chart.series.size(), {}};
    for (const std::size_t n : lengths) {
      const double ms = milliseconds(readers[r], n);
      series.values.push_back(data::MeanAndRange{ms, ms, ms, 1});
    }
    chart.series.push_back(std::move(series));
  }
  fit_axes({&chart, 1});
  return chart;
}

double last_growth(const Series& series) {
  return series.values.back()->mean / series.values[series.values.size() - 2]->mean;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  Means means;
  ExperimentResult shown;
  shown.setting =
      "One layer of width 64 reads 16 words and predicts one word at each position. Reverse: the words in reverse "
      "order. Rotate: the word three positions away. Twin: the number that the other copy of the letter has. Training "
      "takes 800 steps of 32 sequences; the test has 200 other sequences. Accuracy in percent. Attention: how often "
      "the largest weight is on the word that determines the answer / the weight on this word, both in percent.";
  shown.columns = {"layer"};
  for (const std::string& task : tasks) shown.columns.push_back(task), shown.columns.emplace_back("attention");
  shown.rows = measure(seeds, report, means);
  report(fmt::format("[{}/{}] by distance", readers.size() + 1, readers.size() + 2));
  shown.charts.push_back(by_distance(seeds));
  report(fmt::format("[{}/{}] cost", readers.size() + 2, readers.size() + 2));
  shown.charts.push_back(cost());
  const auto at = [&](std::size_t r, const char* task) { return means.at({r, task}).accuracy; };
  const auto found = [&](std::size_t r) { return means.at({r, "twin"}).hit; };
  const auto figures = [&](std::size_t r, const char* a, const char* b) {
    return fmt::format("{} {:.1f}, {} {:.1f}", a, at(r, a), b, at(r, b));
  };
  const Series& far = shown.charts[0].series[2];
  const auto& costs = shown.charts[1].series;
  shown.claims = {
      {"Self-attention reaches every word in one step (table 1, longest path)",
       {at(2, "reverse") >= 99 && far.values.back()->mean >= 95,
        fmt::format("{}; largest distance in 40 words {:.1f}, recurrence {:.1f}, convolution {:.1f}",
                    figures(2, "reverse", "twin"), far.values.back()->mean,
                    shown.charts[0].series[0].values.back()->mean, shown.charts[0].series[1].values.back()->mean)}},
      {"Recurrence and convolution learn less in the same number of steps",
       {std::max(at(0, "reverse"), at(1, "reverse")) < 50,
        fmt::format("reverse {:.1f} and {:.1f}", at(0, "reverse"), at(1, "reverse"))}},
      {"Without positions, attention finds words by content but not by order (section 3.5)",
       {at(4, "twin") >= 99 && at(4, "reverse") < 25, figures(4, "reverse", "twin")}},
      {"Attention from positions only finds words by order but not by content",
       {std::min(at(5, "reverse"), at(6, "reverse")) >= 99 && std::max(found(5), found(6)) < 15,
        fmt::format("reverse {:.1f} and {:.1f}; largest weight on the twin {:.0f}% and {:.0f}%, chance 6%",
                    at(5, "reverse"), at(6, "reverse"), found(5), found(6))}},
      {"Twice as many words cost 2× the time in recurrence and convolution, and more in self-attention (table 1)",
       {last_growth(costs[2]) > std::max(last_growth(costs[0]), last_growth(costs[1])),
        fmt::format("from 512 to 1,024 words {:.1f}×, {:.1f}× and {:.1f}×", last_growth(costs[0]),
                    last_growth(costs[1]), last_growth(costs[2]))}}};
  return shown;
}

}  // namespace

SmallExperiment three_ways() {
  return {"three-ways", "Three ways to read a sequence: recurrence, convolution, self-attention", run};
}

}  // namespace softalign::apps
