// One function parses all JSON that is read from files.
#include "data/io/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/catch.h"

using namespace softalign;
using data::parse_json;

namespace {

std::string refusal(const std::string& text, const data::JsonLimits& limits = {}) {
  try {
    parse_json(text, limits);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("parse_json refuses too many nested brackets, closed or not") {
  const std::string open(200000, '['), objects = [] {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += "{\"a\":";
    return text;
  }();
  for (const std::string& text : {open, open + "1" + std::string(200000, ']'), "{\"a\":" + open, objects}) {
    CHECK(refusal(text) == "nested too deeply: more than 16 lists and objects within each other");
  }
  CHECK(refusal(std::string(16, '[') + std::string(16, ']')).empty());
  CHECK(refusal("[[[]]]", {.depth = 2}) == "nested too deeply: more than 2 lists and objects within each other");
  // Brackets within a string do not count.
  CHECK(parse_json(R"({"a": "\"[[[[[[[[[[[[[[[[[[[["})").at("a") == "\"[[[[[[[[[[[[[[[[[[[[");
}

TEST_CASE("parse_json's messages are bounded and valid UTF-8") {
  CHECK(refusal("{").starts_with("not JSON: parse error at line 1"));
  CHECK(refusal("\"" + std::string(100000, 'x')).size() < 300);
  CHECK(refusal("{\"\xff\":1}") == "not JSON: it holds bytes that are not UTF-8");
  CHECK(refusal(R"({"a":1,"a":2})").empty());
  CHECK(refusal(R"({"a":1,"a":2})", {.unique_names = true}) == "the name \"a\" occurs twice");
}

TEST_CASE("parse_json refuses objects with so many names that a search would be slow") {
  const auto object = [](std::size_t names) {
    std::string text;
    for (std::size_t i = 0; i < names; ++i) text += fmt::format("{}\"k{}\":1", i == 0 ? "" : ",", i);
    return "{" + text + "}";
  };
  CHECK(parse_json("[" + object(1000) + "," + object(1000) + "]").size() == 2);
  CHECK(refusal(object(1001)) == "an object of more than 1000 names");
  CHECK(refusal("{\"a\":" + object(200000) + "}") == "an object of more than 1000 names");
  CHECK(parse_json(R"({"a": "::::"})", {.names = 1}).size() == 1);  // colons within a string do not count
}
