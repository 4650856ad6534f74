#include "apps/training/resume.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "apps/cli/common_options.h"
#include "apps/run/train_options.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "models/config.h"

namespace softalign::apps {

namespace {

struct Change {
  std::string name, before, now;
};

// Returns the config.json of an earlier build as this build would write it. Options may have been renamed or added
// since then.
std::string as_of_today(const std::string& text, const std::string& where) {
  TrainOptions options;
  models::Table all = table(options.common), own = table(options);
  all.insert(all.end(), own.begin(), own.end());
  models::read_config(all, text, where);
  models::read_config(models::not_named(all, text, where), of_earlier_builds(own_defaults(options)), "own defaults");
  complete(options);
  return models::write_config(all);
}

const std::set<std::string>& free_options() {
  static const std::set<std::string> free{"threads",   "epochs",       "patience",     "save-every",     "keep-epochs",
                                          "data",      "train",        "valid",        "source",         "target",
                                          "alignment", "valid-source", "valid-target", "valid-alignment"};
  return free;
}

std::optional<Change> first_change(const std::string& config_before, const std::string& where,
                                   const std::string& config_now) {
  const auto before = data::parse_json(as_of_today(config_before, where));
  const auto after = data::parse_json(config_now);
  for (const auto& [name, value] : after.items())
    if (name != "resumed" && !free_options().contains(name) && before.value(name, nlohmann::ordered_json()) != value)
      return Change{name, before.value(name, nlohmann::ordered_json()).dump(), value.dump()};
  return std::nullopt;
}

}  // namespace

void check_unchanged(const RunFolder& folder, const std::string& now) {
  if (const auto change = first_change(data::read_bytes(folder.config()), folder.config(), now))
    throw UsageError(fmt::format(
        "--{0} was {1} when this training began and is {2} now, and --resume cannot change --{0}. Remove --{0}",
        change->name, change->before, change->now));
}

Resumed resumed(const RunFolder& folder, const std::string& now, std::size_t epoch, std::size_t steps) {
  using Json = nlohmann::ordered_json;
  const std::string text = data::read_bytes(folder.config());
  const Json before = data::parse_json(as_of_today(text, folder.config()));
  Json config = data::parse_json(now);
  Json all = data::parse_json(text).value("resumed", Json::array()), changed = Json::object();
  if (!all.is_array() || all.size() > 1000)
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("{}: \"resumed\" is not a list of at most 1000 changes", folder.config()));
  Resumed result;
  for (const auto& [name, value] : config.items()) {
    if (!free_options().contains(name) || before.at(name) == value) continue;
    changed[name] = {{"was", before.at(name)}, {"is", value}};
    result.changes.push_back(fmt::format("--{} was {} and is {}", name, before.at(name).dump(), value.dump()));
  }
  if (!changed.empty()) all.push_back({{"epoch", epoch}, {"steps", steps}, {"changed", changed}});
  if (!all.empty()) config["resumed"] = all;
  result.config = all.empty() ? now : config.dump(2) + "\n";
  return result;
}

void check_config_of_state(const std::string& path, const std::string& saved, const std::string& now) {
  if (const auto change = first_change(saved, path, now))
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("config.json contains {} {}, but {} was trained with {}. The two files belong to "
                                  "different runs, or one file was changed",
                                  change->name, change->now, path, change->before));
}

void check_config_of_epoch(const std::string& path, const std::string& saved, const RunFolder& folder) {
  check_config_of_state(path, saved, as_of_today(data::read_bytes(folder.config()), folder.config()));
}

}  // namespace softalign::apps
