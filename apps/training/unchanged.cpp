#include "apps/training/unchanged.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "apps/cli/common_options.h"
#include "data/io/files.h"

namespace apps {

void check_unchanged(const RunFolder& folder, const std::string& now) {
  static const std::set<std::string> free{"threads",   "epochs",       "patience",     "save-every",     "keep-epochs",
                                          "data",      "train",        "valid",        "source",         "target",
                                          "alignment", "valid-source", "valid-target", "valid-alignment"};
  const auto before = nlohmann::json::parse(data::read_bytes(folder.config()));
  const auto after = nlohmann::ordered_json::parse(now);
  for (const auto& [name, value] : after.items()) {
    if (!free.contains(name) && before.contains(name) && before[name] != nlohmann::json(value)) {
      throw UsageError(fmt::format("--{} was {} when this training began and is {} now; --resume cannot change it",
                                   name, before[name].dump(), value.dump()));
    }
  }
}

}  // namespace apps
