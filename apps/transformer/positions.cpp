// This file is the experiment `reproduce positions`. It compares how attention learns the order of words, also in
// longer texts than in training.
#include <fmt/format.h>

#include "apps/experiments/experiment.h"
#include "apps/experiments/sequences.h"

namespace softalign::apps {

namespace {

using Layer = models::Tagger::Layer;

constexpr std::size_t shortest = 8, longest = 16;  // words per text in training
const std::vector<std::size_t> lengths{8, 12, 16, 20, 24, 32, 48};
const std::vector<std::string> kinds{"none", "learned", "sinusoidal", "rotary", "concatenated"};

// Returns true if the answer is the word three positions earlier. The first three answers are at the end of the text
// instead.
bool three_before(std::size_t t, std::size_t) { return t >= 3; }

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "One self-attention layer with one head of size 64 predicts, at each position, the word three positions earlier. "
      "It is trained on {} to {} words and tested on longer texts, too. Accuracy in percent by text length.",
      shortest, longest);
  shown.columns = {"positions"};
  LineChart chart{.title = "accuracy, percent", .x_title = "words, up to 16 in training", .x = {}, .series = {}, .context = {}};
  chart.high = 100;
  for (const std::size_t n : lengths) {
    shown.columns.push_back(std::to_string(n));
    chart.x.push_back(std::to_string(n));
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k]));
    std::vector<std::vector<std::optional<double>>> accuracy(lengths.size());
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      const TrainedTagger tagger(Layer::attention, *layers::value_named<layers::PositionKind>(kinds[k]),
                                 {.name = "rotate", .shortest = shortest, .length = longest}, seed);
      for (std::size_t i = 0; i < lengths.size(); ++i)
        accuracy[i].emplace_back(tagger.reach(lengths[i], three_before).accuracy);
    }
    Series series{kinds[k], k, {}};
    std::vector<std::string> row{kinds[k]};
    for (const auto& values : accuracy) {
      series.values.push_back(data::mean_and_range(values));
      row.push_back(to_text(series.values.back(), 1));
    }
    chart.series.push_back(std::move(series));
    shown.rows.push_back(std::move(row));
  }
  const auto at = [&](std::size_t kind, std::size_t n) {
    for (std::size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] == n) return chart.series[kind].values[i]->mean;
    return 0.0;
  };
  const auto far = [&](std::size_t kind) {
    return fmt::format("{}: {:.1f} at 16 words, {:.1f} at 24, {:.1f} at 32", kinds[kind], at(kind, 16), at(kind, 24),
                       at(kind, 32));
  };
  shown.claims = {{"Without positions, attention cannot find a word by its distance (Vaswani et al. 2017, section 3.5)",
                   {at(0, 16) < 30, far(0)}},
                  {"At the lengths of training, every kind of position works",
                   {std::min({at(1, 16), at(2, 16), at(3, 16), at(4, 16)}) >= 99,
                    fmt::format("{:.1f}, {:.1f}, {:.1f} and {:.1f}", at(1, 16), at(2, 16), at(3, 16), at(4, 16))}},
                  {"Rotary positions generalise to texts 1.5× as long (Su et al. 2021)", {at(3, 24) >= 95, far(3)}},
                  {"Learned positions do not generalise to longer texts", {at(1, 24) < at(1, 16) - 20, far(1)}},
                  {"Sinusoidal positions generalise to longer texts (Vaswani et al. 2017, section 3.5)",
                   {at(2, 24) >= 95, far(2)}}};
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment positions() {
  return {"positions", "Positions: how attention learns the word order, and how it generalises to longer texts", run};
}

}  // namespace softalign::apps
