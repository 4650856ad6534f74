// These tests check the table of tasks.
#include <string>
#include <vector>

#include "apps/run/tasks.h"
#include "autograd/names.h"
#include "data/io/commands.h"
#include "models/registry.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace apps;

TEST_CASE("each task has one row, models and a program for its runs") {
  const std::vector<std::string> programs{"translate", "caption", "answer", "entail"};
  for (const std::string& name : autograd::all_names<models::Task>()) {
    const models::Task task = *autograd::value_named<models::Task>(name);
    INFO(name);
    const TaskProperties& row = properties_of(task);
    CHECK(row.task == task);
    CHECK_THAT(programs, Catch::VectorContains(std::string(row.program)));
    CHECK_FALSE(models::models_of(task).empty());
    for (const char* text : {row.examples, row.targets, row.corpus, row.does, row.can})
      CHECK_FALSE(std::string(text).empty());
    CHECK((row.source == Source::picture || row.source == Source::none) != row.has_source_words());
  }
}

TEST_CASE("only translation links words, and the error for a run of another task names the task") {
  for (const std::string& name : autograd::all_names<models::Task>()) {
    const models::Task task = *autograd::value_named<models::Task>(name);
    INFO(name);
    CHECK(properties_of(task).links_words() == (task == models::Task::translation));
    if (task == models::Task::captioning) {
      CHECK_NOTHROW(check_task(task, models::Task::captioning, "--run a"));
      continue;
    }
    CHECK_THAT(
        testing::user_error([&] { check_task(task, models::Task::captioning, "--run a"); }),
        Catch::StartsWith("--run a: the model was trained for the task " + name + " and cannot write captions. "));
  }
}

TEST_CASE("the error for a run of another task names the program as the user called it") {
  const auto message = [](const std::string& run) {
    return testing::user_error([&] { check_task(models::Task::questions, models::Task::captioning, run); });
  };
  data::set_called("caption", "build/caption");
  CHECK_THAT(message("--run a"),
             Catch::Contains(". The program for this run is build/answer --run a. Train a run of the "
                             "task captioning with: build/train --task captioning --data DIR"));
  data::set_called("", "");  // as in a program of another project
  CHECK_THAT(message("runs/a"), Catch::Contains(". The program for such a run is answer. Train"));
}
