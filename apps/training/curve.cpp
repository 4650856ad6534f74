#include "apps/training/curve.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/training/journal.h"
#include "data/io/json.h"

namespace softalign::apps {

namespace {

// JSON has no NaN: a training that diverged wrote null.
double number(const nlohmann::ordered_json& value) { return value.is_null() ? NAN : value.get<double>(); }

}  // namespace

std::vector<CurvePoint> read_curve(const std::string& metrics_file, std::size_t bytes) {
  std::vector<CurvePoint> points;
  for (const std::string& line : read_journal(metrics_file, bytes)) {
    try {
      const auto epoch = data::parse_json(line);
      const auto& valid = epoch.at("valid");
      CurvePoint point{epoch.at("epoch"), number(valid.at("loss")), {}, {}, epoch.value("best", false)};
      if (const auto& links = valid.at("alignment"); !links.is_null()) point.aer = links.at("aer").get<double>();
      if (const auto& bleu = valid.at("bleu"); !bleu.is_null()) point.bleu = bleu.get<double>();
      points.push_back(point);
    } catch (const std::exception&) {
      throw std::runtime_error(
          fmt::format("{}:{}: not a line that train writes; the file was damaged", metrics_file, points.size() + 1));
    }
  }
  return points;
}

}  // namespace softalign::apps
