#include "apps/pages/report/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "apps/pages/chart.h"
#include "apps/pages/html.h"
#include "apps/pages/report/style.h"
#include "apps/pages/report/tables.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

namespace {

using ValuesOf = std::function<Values(const std::vector<RunOutcome>&)>;

// Returns one chart per family. All charts have the same axes, and each has the lines of the other families in the
// background.
std::vector<LineChart> charts_of(const std::vector<RowGroup>& all, const RunOutcomes& outcomes, const LineChart& common,
                                 const ValuesOf& values) {
  std::vector<LineChart> charts;
  for (const RowGroup& group : all) {
    LineChart chart = common;
    for (const RowGroup& other : all) {
      for (const ShownRow& shown : other.rows) {
        Values line = values(outcomes.at(shown.row.experiment));
        if (&other == &group) {
          chart.series.push_back({shown.name, shown.style, std::move(line)});
        } else {
          chart.context.push_back(std::move(line));
        }
      }
    }
    charts.push_back(std::move(chart));
  }
  fit_axes(charts);
  return charts;
}

bool has_lines(const LineChart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
    return std::any_of(series.values.begin(), series.values.end(), [](const auto& value) { return value.has_value(); });
  });
}

std::string grid_of(const std::vector<LineChart>& charts) {
  std::string markup;
  for (const LineChart& chart : charts) {
    if (has_lines(chart)) markup += draw(chart);
  }
  return markup.empty() ? "" : element("div", {{"class", "charts"}}, "\n" + markup);
}

std::size_t epochs_of(const RunOutcomes& outcomes) {
  std::size_t most = 0;
  for (const auto& [name, seeds] : outcomes) {
    for (const RunOutcome& outcome : seeds) most = std::max(most, outcome.curve.size());
  }
  return most;
}

// Returns a function that gives one value per epoch. An epoch has a value only if every seed has reached it.
template <class Value>
ValuesOf by_epoch(std::size_t epochs, Value value) {
  return [=](const std::vector<RunOutcome>& seeds) {
    Values line;
    for (std::size_t e = 0; e < epochs; ++e) {
      line.push_back(mean_and_range(seeds, [&](const RunOutcome& outcome) -> std::optional<double> {
        if (e >= outcome.curve.size()) return {};
        return value(outcome.curve[e]);
      }));
    }
    return line;
  };
}

LineChart length_chart(const RunOutcomes& outcomes) {
  return {.title = "BLEU",
          .x_title = "words in the source sentence",
          .x = lengths_of(outcomes),
          .series = {},
          .context = {}};
}

ValuesOf by_length(const std::vector<std::string>& bins) {
  return [bins](const std::vector<RunOutcome>& seeds) {
    Values line;
    for (const std::string& bin : bins)
      line.push_back(mean_and_range(seeds, bleu_of_part(&RunOutcome::by_length, bin)));
    return line;
  };
}

}  // namespace

std::string learning_curves(const Study& study, const RunOutcomes& outcomes) {
  const std::vector<RowGroup> all = row_groups(study);
  const std::size_t epochs = epochs_of(outcomes);
  LineChart common{.title = "", .x_title = "epoch", .x = {}, .series = {}, .context = {}};
  for (std::size_t e = 1; e <= epochs; ++e) common.x.push_back(std::to_string(e));
  const auto charts = [&](const std::string& title, bool logarithmic, int decimals, auto value) {
    common.title = title + (logarithmic ? ", logarithmic" : "");
    common.logarithmic = logarithmic;
    common.decimals = decimals;
    return charts_of(all, outcomes, common, by_epoch(epochs, value));
  };
  using Value = std::optional<double>;
  const std::vector<std::vector<LineChart>> kinds = {
      charts("validation loss, nats", true, 2, [](const CurvePoint& point) -> Value { return point.loss; }),
      charts("BLEU", false, 1, [](const CurvePoint& point) -> Value { return point.bleu; }),
      charts("AER in percent", true, 1,
             [](const CurvePoint& point) -> Value { return point.aer ? Value(100 * *point.aer) : std::nullopt; })};
  std::string markup;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<LineChart> row;
    for (const auto& kind : kinds) row.push_back(kind[i]);
    if (!all[i].name.empty()) markup += element("h3", {}, text(all[i].name));
    markup += grid_of(row);
  }
  return markup;
}

std::string length_charts(const Study& study, const RunOutcomes& outcomes) {
  const std::vector<RowGroup> all = row_groups(study);
  const LineChart common = length_chart(outcomes);
  std::vector<LineChart> charts = charts_of(all, outcomes, common, by_length(common.x));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].name.empty()) charts[i].title += ": " + all[i].name;
  }
  return grid_of(charts);
}

std::string length_figure(const Study& study, const RunOutcomes& outcomes) {
  LineChart chart = length_chart(outcomes);
  chart.width = 760;
  chart.height = 380;
  chart.high = 100;
  std::size_t style = 0;
  for (const Row& row : study.rows) {
    chart.series.push_back({row.label, style++ % row_styles, by_length(chart.x)(outcomes.at(row.experiment))});
  }
  return standalone(draw(chart));
}

}  // namespace softalign::apps
