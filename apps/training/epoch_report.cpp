#include "apps/training/epoch_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/inference/score_json.h"

namespace apps {

std::string EpochReport::metrics() const {
  nlohmann::ordered_json values{
      {"epoch", epoch}, {"steps", steps}, {"train_loss", train_loss}, {"train_perplexity", std::exp(train_loss)}};
  if (guided_alignment) values["train_guided_alignment"] = *guided_alignment;
  if (coverage) values["train_coverage"] = *coverage;
  values["valid"] = json_of(valid);
  values["learning_rate"] = learning_rate;
  values["gradient_norm"] = gradient_norm;
  values["best"] = best;
  return values.dump();
}

std::string EpochReport::timing() const {
  return fmt::format(R"({{"epoch":{:7},"train_seconds":{:12.3f},"seconds":{:12.3f},"words_per_second":{:12.1f}}})",
                     epoch, train_seconds, seconds, words_per_second);
}

}  // namespace apps
