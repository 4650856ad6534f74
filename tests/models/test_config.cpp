// config.json and the table of model options: every value is read back, and illegal values are refused by name.
#include "models/config.h"

#include <fmt/format.h>

#include "tests/error_kind.h"
#include "tests/models/kinds.h"

namespace {

using namespace kinds;
using Catch::Contains;

std::string written(ModelOptions o) { return write_config(table(o)); }

std::string refusal(const std::string& text) {
  ModelOptions o;
  try {
    read_config(table(o), text, "config.json");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("config: each option of a model is read back, and the others keep their values") {
  const ModelOptions base = completed(small());
  for (const auto& [name, value] : alternatives(base)) {
    ModelOptions changed = with(base, {{name, value}}), read = base;
    INFO(name << " " << value.dump());
    if (!problem_of(table(changed)).empty()) continue;  // for example a dropout of 1
    read_config(table(read), written(changed), "config.json");
    CHECK(written(read) == written(changed));
    const Table rows = table(changed);
    const auto row = std::find_if(rows.begin(), rows.end(), [&, n = name](const Option& o) { return o.name == n; });
    CHECK((written(changed) == written(base)) == !row->asked);  // options that users do not set are not written
  }
}

TEST_CASE("config: keys that are not options are ignored") {
  ModelOptions o = small();
  const std::string before = written(o);
  read_config(table(o), R"({"colour": "red", "source-vocabulary": 1})", "config.json");
  CHECK(written(o) == before);
  CHECK(o.source_vocabulary == 8);
}

TEST_CASE("config: an illegal value is refused with file and option") {
  CHECK_THAT(refusal("{"), Contains("config.json: not JSON"));
  CHECK_THAT(refusal("[1]"), Contains("config.json: expected a JSON object"));
  CHECK(refusal(R"({"hidden": "x"})") == R"(config.json: "hidden": "x"; a whole number is expected)");
  CHECK(refusal(R"({"hidden": -1})") == R"(config.json: "hidden": -1; a whole number is expected)");
  CHECK(refusal(R"({"hidden": 0})") ==
        R"(config.json: "hidden": hidden is 0; a whole number in 1..100000 is expected)");
  CHECK(refusal(R"({"dropout": true})") == R"(config.json: "dropout": true; a number is expected)");
  CHECK(refusal(R"({"residual": 1})") == R"(config.json: "residual": 1; true or false is expected)");
  CHECK(refusal(R"({"cell": null})") == R"(config.json: "cell": null; text is expected)");
  CHECK(refusal(R"({"tie": "both"})") == R"(config.json: "tie": unknown tie 'both'; known are: none, target, all)");
}

TEST_CASE("config: old names of options and values are read, and current names are written") {
  ModelOptions o;
  read_config(table(o), R"({"scope": "local-m", "start": "both", "look": "hard", "positions": "relative"})",
              "config.json");
  CHECK(o.attention_window == layers::WindowKind::local_m);
  CHECK(o.initial_state == InitialState::both);
  CHECK(o.hard_attention);
  CHECK(o.positions == layers::PositionKind::rotary);
  for (const char* line : {R"("attention-window": "local-m")", R"("initial-state": "both")",
                           R"("hard-attention": true)", R"("positions": "rotary")"})
    CHECK_THAT(written(o), Contains(line));
  for (const char* old : {"scope", "start", "look"}) CHECK_THAT(written(o), !Contains(fmt::format("\"{}\"", old)));
  read_config(table(o), R"({"look": "soft"})", "config.json");
  CHECK_FALSE(o.hard_attention);
  read_config(table(o), R"({"scope": "global", "attention-window": "local-p"})", "config.json");
  CHECK(o.attention_window == layers::WindowKind::local_p);
  CHECK(names_in_config(R"({"look": "soft", "pieces": 77, "over": "original"})", "config.json") ==
        std::vector<std::string>{"hard-attention", "subwords", "over"});
}

TEST_CASE("config: an option without a value is empty, and an unknown name changes nothing") {
  ModelOptions o;
  CHECK_THAT(written(o), Contains(R"("positions": "")"));
  CHECK_THROWS(read_config(table(o), R"({"positions": "rope"})", "config.json"));
  CHECK_FALSE(o.positions);
}

TEST_CASE("config: invalid JSON is damaged, and an impossible value is bad data") {
  ModelOptions o;
  const auto kind_of_text = [&](const std::string& text) {
    return testing::kind_thrown([&] { read_config(table(o), text, "config.json"); });
  };
  CHECK(kind_of_text("{}") == "no error");
  CHECK(kind_of_text("{") == "damaged file");
  CHECK(kind_of_text("[]") == "damaged file");
  CHECK(kind_of_text(R"({"hidden": -1})") == "bad data");
  CHECK(kind_of_text(R"({"model": "none"})") == "bad data");
}
