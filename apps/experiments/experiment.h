// An experiment of reproduce that trains nothing on a corpus: it draws its data itself, and what it shows is a table,
// charts, and whether claims hold.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/pages/picture.h"
#include "apps/reproduction/study.h"
#include "data/alignment/record.h"

namespace softalign::apps {

struct Shown {
  std::string setting;               // sizes and numbers, in a sentence
  std::vector<std::string> columns;  // of the table; the first names the rows
  std::vector<std::vector<std::string>> rows;
  std::vector<std::pair<std::string, Verdict>> claims;
  std::vector<LineChart> charts;
  std::vector<data::Record> matrices;  // weights to be drawn
  std::vector<LookedAt> pictures;
};

using Tell = std::function<void(const std::string&)>;

struct Demonstration {
  std::string name, title;
  // With seeds 1 .. N; tells how far it is.
  Shown (*show)(std::size_t seeds, const Tell& tell) = nullptr;
};

// A figure of each of several trainings; none if any has none.
template <class Training, class Figure>
std::optional<data::Spread> spread_of(const std::vector<Training>& all, const Figure& figure) {
  std::vector<std::optional<double>> values;
  for (const Training& one : all) values.push_back(figure(one));
  return data::spread(values);
}

// A value of each seed.
data::Spread over_seeds(std::size_t seeds, const std::function<double(std::size_t seed)>& value);

}  // namespace softalign::apps
