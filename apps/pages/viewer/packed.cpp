#include "apps/pages/viewer/packed.h"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace softalign::apps {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Nothing if the weight is not exactly a number of millionths: read back as units / 1e6 it would be another.
std::optional<std::uint32_t> in_millionths(double weight) {
  const double units = std::round(weight * 1e6);
  if (!(units >= 0 && units <= 1e6) || units / 1e6 != weight) return std::nullopt;
  return static_cast<std::uint32_t>(units);
}

void append(std::string& text, std::uint32_t units) {
  for (; units >= 32; units /= 32) text += base64url[32 + units % 32];
  text += base64url[units];
}

}  // namespace

Json packed_matrix(const Json& matrix) {
  std::string text;
  for (const Json& row : matrix) {
    for (const Json& weight : row) {
      const auto units = in_millionths(weight.get<double>());
      if (!units) return matrix;
      append(text, *units);
    }
  }
  return text;
}

Json packed_record(const Json& record) {
  static const std::set<std::string_view> left_out{"schema", "id",          "source_sent", "target_sent",   "tags",
                                                   "rule",   "orientation", "entropy",     "total_logprob", "prob"};
  Json packed = Json::object();
  for (const auto& [key, value] : record.items()) {
    if (left_out.count(key) > 0) continue;
    if (key == "matrix") {
      packed["weights"] = packed_matrix(value);
    } else if (key == "heads") {
      for (Json head : value) {
        const Json matrix = head.at("matrix");
        head.erase("matrix");
        if (head.at("kind") != "cross") head["columns"] = matrix.empty() ? 0 : matrix.front().size();
        head["weights"] = packed_matrix(matrix);
        packed[key].push_back(std::move(head));
      }
    } else {
      packed[key] = value;
    }
  }
  return packed;
}

Json otherwise_than(const Json& first, const Json& record) {
  Json other = Json::object();
  for (const auto& [key, value] : record.items()) {
    if (!first.contains(key) || first[key] != value) other[key] = value;
  }
  for (const auto& [key, value] : first.items()) {
    if (!record.contains(key)) other[key] = nullptr;
  }
  return other;
}

}  // namespace softalign::apps
