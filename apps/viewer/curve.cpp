#include "apps/viewer/curve.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "data/files.h"

namespace apps {

namespace {

// JSON has no NaN: a training that diverged wrote null.
double number(const nlohmann::json& value) { return value.is_null() ? NAN : value.get<double>(); }

}  // namespace

std::vector<CurvePoint> read_curve(const std::string& metrics_file) {
  std::vector<CurvePoint> points;
  std::error_code none;
  if (!std::filesystem::exists(metrics_file, none) || std::filesystem::is_empty(metrics_file, none)) return points;
  for (const std::string& line : data::read_lines(metrics_file)) {
    const auto epoch = nlohmann::json::parse(line, nullptr, false);
    try {
      const auto& valid = epoch.at("valid");
      CurvePoint point{epoch.at("epoch"), number(valid.at("loss")), valid.at("bleu"), {}, epoch.value("best", false)};
      if (const auto& links = valid.at("alignment"); !links.is_null()) point.aer = links.at("aer").get<double>();
      points.push_back(point);
    } catch (const nlohmann::json::exception&) {
      throw std::runtime_error(
          fmt::format("{}:{}: not a line that train writes; the file was damaged", metrics_file, points.size() + 1));
    }
  }
  return points;
}

}  // namespace apps
