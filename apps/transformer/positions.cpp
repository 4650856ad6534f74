// reproduce positions: what tells attention the order, and lengths beyond training.
#include <fmt/format.h>

#include "apps/experiments/experiment.h"
#include "apps/experiments/sequences.h"

namespace softalign::apps {

namespace {

using Layer = models::Tagger::Layer;

constexpr std::size_t shortest = 8, longest = 16;  // in training
const std::vector<std::size_t> lengths{8, 12, 16, 20, 24, 32, 48};
const std::vector<std::string> kinds{"none", "learned", "sinusoidal", "relative", "concatenated"};

// The first three words are read at the end; the others three places before, wherever the end is.
bool three_before(std::size_t t, std::size_t) { return t >= 3; }

ExperimentResult show(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "One layer of self-attention with one head of 64 numbers says at each place the word three places before it; "
      "trained on {} to {} words, tested on longer ones too. Accuracy in percent.",
      shortest, longest);
  shown.columns = {"places"};
  LineChart chart{.title = "accuracy", .x_title = "words, up to 16 in training", .x = {}, .series = {}, .context = {}};
  chart.high = 100;
  for (const std::size_t n : lengths) {
    shown.columns.push_back(std::to_string(n));
    chart.x.push_back(std::to_string(n));
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k]));
    std::vector<std::vector<std::optional<double>>> accuracy(lengths.size());
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      const TrainedTagger taught(Layer::attention, *layers::value_named<layers::PositionKind>(kinds[k]),
                                 {.name = "rotate", .shortest = shortest, .length = longest}, seed);
      for (std::size_t i = 0; i < lengths.size(); ++i)
        accuracy[i].emplace_back(taught.reach(lengths[i], three_before).accuracy);
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
    return fmt::format("{}: {:.1f} of 16 words, {:.1f} of 24, {:.1f} of 32", kinds[kind], at(kind, 16), at(kind, 24),
                       at(kind, 32));
  };
  shown.claims = {
      {"Without places attention cannot count (Vaswani et al. 2017, section 3.5)", {at(0, 16) < 30, far(0)}},
      {"Any kind of places is enough at the lengths of training",
       {std::min({at(1, 16), at(2, 16), at(3, 16)}) >= 99,
        fmt::format("{:.1f}, {:.1f} and {:.1f}", at(1, 16), at(2, 16), at(3, 16))}},
      {"Relative places go on, half as far again (Su et al. 2021)", {at(3, 24) >= 95, far(3)}},
      {"Places that are learned end where training ends", {at(1, 24) < at(1, 16) - 20, far(1)}},
      {"Sinusoids may go on (Vaswani et al. 2017, section 3.5)", {at(2, 24) >= 95, far(2)}}};
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment positions() {
  return {"positions", "Places: what tells attention the order, and how far it goes", show};
}

}  // namespace softalign::apps
