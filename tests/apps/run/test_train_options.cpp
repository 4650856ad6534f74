// The table of training options is the one list from which train's command line and config.json are read.
#include "apps/run/train_options.h"

#include <set>

#include "models/config.h"
#include "tests/catch.h"

using namespace softalign;

TEST_CASE("train options: each option has a unique name, help and a legal default", "[options]") {
  apps::TrainOptions options;
  complete(options);
  std::set<std::string> names{"seed", "threads"};
  for (const models::Option& option : table(options)) {
    INFO(option.name);
    CHECK(names.insert(option.name).second);
    CHECK(!option.help.empty());
    if (option.asked) CHECK(problem_of(models::Table{option}).empty());
  }
  CHECK(names.contains("tokenizer"));
  CHECK(names.contains("attention"));
  CHECK(names.contains("track"));
}

TEST_CASE("train options: config.json restores each option", "[options]") {
  apps::TrainOptions changed, read;
  for (const models::Option& option : table(changed)) {
    if (bool* const* truth = std::get_if<bool*>(&option.field)) **truth = !**truth;
    if (double* const* number = std::get_if<double*>(&option.field)) **number = option.rule.lowest + 0.3;
    if (unsigned long* const* number = std::get_if<unsigned long*>(&option.field)) **number += 1;
    if (std::string* const* text = std::get_if<std::string*>(&option.field))
      **text = option.rule.names.empty() ? "somewhere else" : option.rule.names.back();
    if (const auto* chosen = std::get_if<models::EnumField>(&option.field))
      CHECK(chosen->set(option.rule.names.back()));
  }
  const std::string text = models::write_config(table(changed));
  CHECK(text != models::write_config(table(read)));
  models::read_config(table(read), text, "config.json");
  CHECK(models::write_config(table(read)) == text);
}
