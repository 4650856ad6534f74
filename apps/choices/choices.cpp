#include "apps/choices/choices.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/run/task.h"
#include "models/registry.h"

namespace softalign::apps {
namespace {

bool uses(const models::ModelOptions& model, const models::Option& option) {
  const std::vector<std::string> names = uses_of(model);
  return std::find(names.begin(), names.end(), option.name) != names.end();
}

}  // namespace

std::string note_unused(const CommandLine& line, models::ModelOptions model) {
  std::string text;
  for (const models::Option& option : table(model))
    if (option.asked && line.given(option.name) && !uses(model, option))
      text += fmt::format("note: --{} changes nothing about this model ({})\n", option.name, model.model);
  return text;
}

void check_kept(const CommandLine& line, models::ModelOptions given, models::ModelOptions completed,
                const std::string& task) {
  const models::Table before = table(given), after = table(completed);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = before[i].name;
    const std::string value = text_of(before[i]);
    const std::vector<std::string>& also = before[i].rule.also;  // is kept as what it means
    if (!before[i].asked || !line.given(name) || value == text_of(after[i])) continue;
    if (std::find(also.begin(), also.end(), value) != also.end() &&
        (value != "unidirectional" || completed.unidirectional))
      continue;
    if (name == "model" && text_of(after[i]) == value + "-lm") continue;  // of --task language-model
    throw UsageError(fmt::format("--{} {} does not go with {}, which takes {}", name, value,
                                 name == "model" ? "--task " + task : "--model " + given.model,
                                 name == "model" ? models::models_of(task) : text_of(after[i])));
  }
}

void follow(const CommandLine& line, TrainOptions& options) {
  if (!line.chosen("task"))
    if (const std::string task = task_of_folder(options); !task.empty()) options.task = task;
  if (!line.chosen("model") && options.task != "translation") options.model.model = models::default_model(options.task);
}

std::string describe_options(models::ModelOptions model) {
  std::string text;
  for (const models::Option& option : table(model))
    if (uses(model, option)) text += fmt::format("{:<20} {}\n", option.name, text_of(option));
  return text + "\n";
}

}  // namespace softalign::apps
