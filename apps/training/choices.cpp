#include "apps/training/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "apps/run/corpus_files.h"
#include "data/corpus/corpus.h"
#include "data/corpus/layout.h"
#include "data/io/choice.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/gzip.h"
#include "data/io/shipped.h"
#include "data/pictures/picture_file.h"
#include "models/named_options.h"
#include "models/registry.h"

namespace softalign::apps {

bool uses(const models::ModelOptions& model, const std::string& option) {
  const std::vector<std::string> names = uses_of(model);
  return std::find(names.begin(), names.end(), option) != names.end();
}

std::string note_unused(const CommandLine& line, models::ModelOptions model) {
  std::string text;
  for (const models::Option& option : table(model))
    if (option.asked && line.given(option.name) && !uses(model, option.name))
      text += fmt::format("note: --{} has no effect on the model {}\n", option.name, model.model);
  return text;
}

void check_kept(const CommandLine& line, models::ModelOptions given, models::ModelOptions completed,
                models::Task task) {
  const models::Table before = table(given), after = table(completed);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string& name = before[i].name;
    const std::string value = text_of(before[i]);
    const std::vector<std::string>& also = before[i].rule.also;  // other names of values, which stay valid
    if (!before[i].asked || !line.given(name) || value == text_of(after[i])) continue;
    if (std::find(also.begin(), also.end(), value) != also.end()) continue;
    if (name == "model" && text_of(after[i]) == value + "-lm") continue;  // --task language-model adds -lm
    throw UsageError(
        fmt::format("--{} {} is not possible with {}. Use {}", name, value,
                    name == "model" ? std::string("--task ") + autograd::name_of(task) : "--model " + given.model,
                    name == "model" ? models::models_of(task) : text_of(after[i])));
  }
}

void follow(const CommandLine& line, TrainOptions& options) {
  if (!line.chosen("task"))
    if (const auto task = task_of_folder(options)) options.task = *task;
  if (!line.chosen("model") && options.task != models::Task::translation)
    options.model.model = models::default_model(options.task);
}

std::string describe_options(models::ModelOptions model) {
  std::string text;
  for (const models::Option& option : table(model))
    if (uses(model, option.name)) text += fmt::format("{:<20} {}\n", option.name, text_of(option));
  return text + "\n";
}

namespace {

std::string first_line(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return "";  // a pipe, or a missing file, which is reported later
  return data::clean_line(data::first_line(file), file, 1);
}

// Returns true if the model can learn the task. A language model can learn the targets of pairs. The model of another
// task may be named without its ending -lm.
bool learns(models::Task task, const models::ModelOptions& model) {
  const models::Task own = models::task_of(model);
  const std::string for_task = models::model_for(task, model);
  if (task == models::Task::translation) return own == task || own == models::Task::language_model;
  return for_task == model.model || for_task == model.model + "-lm";
}

}  // namespace

std::optional<models::Task> task_of_folder(const TrainOptions& o) {
  if (o.train.empty() && !o.source.empty()) return {};
  const std::string file = o.train.empty() ? data::shipped(o.data) + "/task"
                                           : std::filesystem::path(o.train).replace_filename("task").string();
  if (!data::exists(file)) return {};
  const std::string name = data::join_words(data::split_words(data::read_bytes(file)));
  const auto task = autograd::value_named<models::Task>(name);
  if (!task)
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format("{}: {}", file, data::unknown_name("task", name, autograd::all_names<models::Task>())));
  return task;
}

void check_model_fits(const TrainOptions& o) {
  const std::string file = data::shipped(training_files(o).tsv);
  if (file.empty()) return;
  std::optional<models::Task> task = task_of_folder(o);
  if (!task) {
    const std::string line = first_line(file);
    if (!line.empty()) task = autograd::value_named<models::Task>(data::task_of_line(line));
  }
  if (!task || learns(*task, o.model)) return;
  const models::Task own = models::task_of(o.model);
  throw UsageError(fmt::format(
      "{} contains {}. The models for this task are {}. {}{} {}", o.train.empty() ? o.data : o.train,
      properties_of(*task).corpus, models::models_of(*task), o.model.model,
      properties_of(own).source == Source::picture && o.model.encoder == "picture" ? " with --encoder picture" : "",
      properties_of(own).does));
}

void set_size_as_first(TrainOptions& options, bool height, bool width) {
  if (!height && !width) return;
  const std::string path = data::shipped(training_files(options).tsv);
  const std::string line = first_line(path);
  const std::string name = line.substr(0, line.find('\t'));
  if (name.empty()) return;  // reading the corpus reports this, with the line
  const data::Picture picture = [&] {
    try {
      return data::read_picture((std::filesystem::path(path).parent_path() / name).string());
    } catch (const std::runtime_error& problem) {
      throw data::Error(data::kind_of(problem), fmt::format("{}:1: {}", path, problem.what()));
    }
  }();
  constexpr std::size_t least = 4, most = 64;  // pixels: at least one cell, and small enough to be fast
  const std::size_t longer = std::max(picture.height, picture.width);
  const auto brought = [&](std::size_t side) {
    return std::max(least, longer <= most ? side : (side * most + longer / 2) / longer);
  };
  if (height) options.model.picture_height = brought(picture.height);
  if (width) options.model.picture_width = brought(picture.width);
}

}  // namespace softalign::apps
