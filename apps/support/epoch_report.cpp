#include "apps/support/epoch_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/support/progress.h"

namespace apps {

nlohmann::ordered_json EpochReport::metrics() const {
  nlohmann::ordered_json values{
      {"epoch", epoch}, {"steps", steps}, {"train_loss", train_loss}, {"train_perplexity", std::exp(train_loss)}};
  if (guided_alignment) values["train_guided_alignment"] = *guided_alignment;
  if (coverage) values["train_coverage"] = *coverage;
  values["valid"] = valid.json();
  values["learning_rate"] = learning_rate;
  values["gradient_norm"] = gradient_norm;
  values["best"] = best;
  return values;
}

std::string EpochReport::timing() const {
  return fmt::format(R"({{"epoch":{:7},"train_seconds":{:12.3f},"seconds":{:12.3f},"words_per_second":{:12.1f}}})",
                     epoch, train_seconds, seconds, words_per_second);
}

std::string epoch_head() {
  return "         train   train   valid   valid           AER  entropy learning  gradient  target\n"
         "epoch     loss     ppl    loss     ppl   BLEU    %     nats     rate      norm  words/s  seconds";
}

std::string epoch_row(const EpochReport& r) {
  const std::string aer = r.valid.with_gold > 0 ? fmt::format("{:.1f}", 100 * r.valid.alignment.aer()) : "-";
  const std::string entropy = r.valid.attention_rows > 0 ? fmt::format("{:.2f}", r.valid.entropy()) : "-";
  return fmt::format("{:5} {:8.3f} {:7.2f} {:7.3f} {:7.2f} {:6.1f} {:>4} {:>8} {:8.1e} {:9.2f} {:>8} {:>8.1f} {}",
                     r.epoch, r.train_loss, std::exp(r.train_loss), r.valid.loss(), r.valid.perplexity(),
                     r.valid.bleu.score(), aer, entropy, r.learning_rate, r.gradient_norm,
                     format_rate(r.words_per_second), r.seconds, r.best ? "*" : " ");
}

}  // namespace apps
