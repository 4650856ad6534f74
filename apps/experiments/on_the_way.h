// What several trainings found on the way (learn_and_look), as figures with a spread and as lines of a chart. `Learnt`
// holds it as on_the_way, each with an accuracy in percent.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/experiments/experiment.h"

namespace softalign::apps {

// A figure of the last look; none if any training has none.
template <class Learnt, class Figure>
std::optional<data::Spread> in_the_end(const std::vector<Learnt>& all, const Figure& figure) {
  return spread_of(all, [&](const Learnt& one) { return std::optional<double>(one.on_the_way.back().*figure); });
}

template <class Learnt>
Series accuracy_of(const std::string& name, std::size_t colour, const std::vector<Learnt>& all) {
  Series series{name, colour, {}};
  for (std::size_t i = 0; i < all.front().on_the_way.size(); ++i)
    series.values.push_back(
        spread_of(all, [i](const Learnt& one) { return std::optional(one.on_the_way[i].accuracy); }));
  return series;
}

// A chart of percents whose horizontal axis has `looks` equal shares of a whole.
inline LineChart chart_of_looks(const std::string& title, const std::string& x_title, std::size_t whole,
                                std::size_t looks) {
  LineChart chart{.title = title, .x_title = x_title, .x = {}, .high = 100, .series = {}, .context = {}};
  for (std::size_t i = 1; i <= looks; ++i) chart.x.push_back(std::to_string(i * whole / looks));
  return chart;
}

}  // namespace softalign::apps
