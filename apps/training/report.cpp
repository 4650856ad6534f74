#include "apps/training/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace softalign::apps {

std::string EpochReport::metrics(const Task& task) const {
  nlohmann::ordered_json values{{"epoch", epoch}, {"steps", steps}};
  const nlohmann::ordered_json training = task.training_scores(losses);
  for (const auto& [name, value] : training.items()) values["train_" + name] = value;
  values["valid"] = task.validation_scores();
  values["learning_rate"] = learning_rate;
  values["gradient_norm"] = gradient_norm;
  values["best"] = best;
  return values.dump();
}

std::string EpochReport::timing() const {
  return fmt::format(R"({{"epoch":{:7},"train_seconds":{:12.3f},"seconds":{:12.3f},"words_per_second":{:12.1f}}})",
                     epoch, train_seconds, seconds, words_per_second);
}

}  // namespace softalign::apps
