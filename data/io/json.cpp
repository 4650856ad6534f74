#include "data/io/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

using Json = nlohmann::ordered_json;

void check(std::string_view text, const JsonLimits& limits) {
  std::vector<std::size_t> names(limits.depth + 1);  // names so far in the open object at each depth
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_text = !in_text;
    else if (in_text) i += c == '\\';
    else if (c == ']' || c == '}') depth -= depth > 0;
    else if (c == ':' && ++names[depth] > limits.names)
      throw Error(ErrorKind::damaged_file, fmt::format("an object of more than {} names", limits.names));
    else if (c == '[' || c == '{') {
      if (++depth > limits.depth)
        throw Error(ErrorKind::damaged_file,
                    fmt::format("nested too deeply: more than {} lists and objects within each other", limits.depth));
      names[depth] = 0;
    }
  }
}

class NameCheck {
 public:
  bool operator()(int, Json::parse_event_t event, const Json& name) {
    if (event == Json::parse_event_t::object_start) seen_.emplace_back();
    if (event == Json::parse_event_t::object_end) seen_.pop_back();
    if (event == Json::parse_event_t::key && !seen_.back().insert(name.get<std::string>()).second)
      throw Error(ErrorKind::damaged_file, fmt::format("the name {} occurs twice", name.dump()));
    return true;
  }

 private:
  std::vector<std::set<std::string>> seen_;
};

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits) {
  check(text, limits);
  try {
    return limits.unique_names ? Json::parse(text, NameCheck()) : Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::damaged_file, fmt::format("not JSON: {}", json_problem(error)));
  }
}

std::string json_problem(const std::exception& error) {
  const std::string text = error.what();
  if (!text.starts_with("[json.exception.")) return text;
  if (invalid_utf8(text)) return "it holds bytes that are not UTF-8";
  constexpr std::size_t most = 200;
  const std::u32string points = decode_utf8(text.substr(text.find("] ") + 2));
  return points.size() <= most ? encode_utf8(points) : encode_utf8(points.substr(0, most)) + " ...";
}

}  // namespace softalign::data
