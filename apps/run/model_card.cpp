#include "apps/run/model_card.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "apps/run/provenance.h"
#include "apps/run/tasks.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/own_files.h"
#include "models/config.h"

namespace softalign::apps {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view beginning =
    "---\n# softalign train wrote this file, and writes it again. Remove this line to keep your changes.\n";

// A string of JSON is a string of YAML, too.
std::string quoted(const std::string& text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

struct Score {
  std::string type;   // name in the metadata
  std::string label;  // name in the table
  std::string value;
};

// Returns the scores of one epoch. `valid` is the entry of the epoch in metrics.jsonl.
std::vector<Score> scores_of(const Json& valid) {
  std::vector<Score> scores;
  const auto add = [&](const char* type, const char* label, const Json& value, int digits, double factor = 1) {
    if (value.is_number())
      scores.push_back({type, label, fmt::format("{:.{}f}", factor * value.get<double>(), digits)});
  };
  const Json none;
  const auto entry = [&](const char* name) -> const Json& { return valid.contains(name) ? valid.at(name) : none; };
  add("loss", "loss, in nats per token", entry("loss"), 3);
  add("perplexity", "perplexity", entry("perplexity"), 2);
  add("bleu", "BLEU", entry("bleu"), 1);
  add("chrf", "chrF", entry("chrf"), 1);
  add("exact_match", "exact match, in percent", entry("exact_match"), 1);
  add("attention_accuracy", "attention accuracy, in percent", entry("attention_accuracy"), 1, 100);
  if (const Json& alignment = entry("alignment"); alignment.is_object())
    add("aer", "alignment error rate (AER), in percent", alignment.at("aer"), 1, 100);
  return scores;
}

// Returns the last line of metrics.jsonl that belongs to a best epoch.
Json best_epoch(const RunFolder& folder) {
  std::optional<Json> best;
  for (const std::string& line : data::read_lines(folder.metrics()))
    if (Json epoch = data::parse_json(line); epoch.value("best", false)) best = std::move(epoch);
  if (!best)
    data::fail(folder.metrics(), "no line has \"best\": true, so the file is damaged", data::ErrorKind::damaged_file);
  return *best;
}

// Returns the options that a run of this task and model has by default. If these defaults conflict with each other, the
// result lacks the options that `complete` derives from others.
Json defaults_of(const TrainOptions& options) {
  TrainOptions defaults;
  defaults.task = options.task;
  defaults.model.model = options.model.model;
  models::read_config(table(defaults), own_defaults(options), "own defaults");
  const std::string incomplete = models::write_config(table(defaults));
  try {
    complete(defaults);
  } catch (const UsageError&) {
    return data::parse_json(incomplete);
  }
  return data::parse_json(models::write_config(table(defaults)));
}

// Returns the command that trains such a model. It names the model, and options that do not have their defaults.
std::string command_of(const Json& config, const TrainOptions& options) {
  const Json defaults = defaults_of(options);
  std::string command = "softalign train";
  for (const auto& [name, value] : config.items()) {
    const bool by_default = name != "model" && defaults.contains(name) && defaults.at(name) == value;
    if (by_default || name == "resumed") continue;
    if (value.is_boolean()) command += fmt::format(" --{}{}", value.get<bool>() ? "" : "no-", name);
    else
      command +=
          fmt::format(" --{} {}", name, value.is_string() ? data::shell_word(value.get<std::string>()) : value.dump());
  }
  return command;
}

std::string metadata_of(const TrainOptions& options, const Provenance& provenance, const std::vector<Score>& scores) {
  const TaskProperties& task = task_of(options);
  const std::vector<std::string>& files = provenance.validation.files;
  std::string text = fmt::format(
      "library_name: softalign\npipeline_tag: {0}\ntags:\n- attention\n- {1}\nmodel-index:\n- name: {1}\n  results:\n"
      "  - task:\n      type: {0}\n    dataset:\n      name: {2}\n      type: validation\n    metrics:\n",
      task.hub_task, options.model.model, quoted(files.empty() ? "" : files.front()));
  for (const Score& score : scores)
    text +=
        fmt::format("    - type: {}\n      value: {}\n      name: {}\n", score.type, score.value, quoted(score.label));
  return text;
}

std::string line_of(const char* title, const Provenance::Part& part, const char* examples) {
  std::string names;
  if (part.files.empty()) return "";  // runs of earlier builds have no provenance.json
  for (const std::string& file : part.files) names += (names.empty() ? "" : ", ") + quoted(file);
  return fmt::format("- {}: {} {} from {} (hash {})\n", title, part.examples, examples, names, part.hash);
}

}  // namespace

std::string model_card(const RunFolder& folder, const TrainOptions& options, std::size_t parameters) {
  const TaskProperties& task = task_of(options);
  const std::optional<Provenance> known = read_provenance(folder);
  const Provenance provenance = known ? *known : Provenance{};
  const Json best = best_epoch(folder), config = data::parse_json(data::read_bytes(folder.config()));
  const std::vector<Score> scores = scores_of(best.at("valid"));
  std::string text =
      fmt::format("{}{}---\n\n# {}\n\n", beginning, metadata_of(options, provenance, scores), options.model.model);
  text +=
      fmt::format("This model {}. It has {} parameters, and softalign " SOFTALIGN_VERSION
                  " trained it.\n\n"
                  "Use it with `softalign {} --run FOLDER`, where FOLDER is the folder of this file, or in Python with "
                  "`softalign.Run(\"FOLDER\")`.\n\n",
                  task.does, parameters, task.program);
  text += "## Training\n\n";
  text += line_of("training", provenance.training, task.examples);
  text += line_of("validation", provenance.validation, task.examples);
  text += fmt::format(
      "\n{} `config.json` has all options.\n\n```sh\n{} --out FOLDER\n```\n\n",
      config.contains("resumed")
          ? "The training was resumed with other options. This command has the last options, so it trains a "
            "different model."
          : "This command trains the same model again with the same build on the same processor.",
      command_of(config, options));
  text += fmt::format(
      "## Scores\n\nThe best epoch is {}. These are its scores on the validation {}.\n\n| score | value |\n"
      "|---|---|\n",
      best.at("epoch").get<std::size_t>(), task.examples);
  for (const Score& score : scores) text += fmt::format("| {} | {} |\n", score.label, score.value);
  text +=
      "\nThe training chose the epoch with this data, so the scores are slightly too good. Run `softalign evaluate` on "
      "other data.\n\n"
      "## Before you publish the model\n\nsoftalign does not know the languages and the licence of the data. Add "
      "`language` and `license` to the metadata, and describe where the data comes from and what the model is for.\n";
  return text;
}

bool is_model_card(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;
  return fs::is_regular_file(fs::symlink_status(path, none)) && data::read_bytes(path).starts_with(beginning);
}

void write_model_card(const RunFolder& folder, const TrainOptions& options, std::size_t parameters) {
  if (data::is_there(folder.card()) && !is_model_card(folder.card())) return;
  data::write_own_file(folder.card(), model_card(folder, options, parameters));
}

}  // namespace softalign::apps
