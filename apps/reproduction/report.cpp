#include "apps/reproduction/report.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/reproduction/study.h"
#include "apps/terminal/progress.h"

namespace softalign::apps {

namespace {

std::string table(const Study& study, const RunOutcomes& outcomes) {
  std::string text =

      "| | in the paper | perplexity | BLEU | exact match | AER | parameters | seconds | words/s |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : study.rows) {
    const auto said = [&](auto figure, int decimals) {
      return to_text(mean_and_range(outcomes.at(row.experiment), std::mem_fn(figure)), decimals);
    };
    const std::size_t parameters = outcomes.at(row.experiment).front().parameters;
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.label, row.paper.empty() ? "-" : row.paper,
                    said(&RunOutcome::perplexity, 3), said(&RunOutcome::bleu, 1), said(&RunOutcome::exact_match, 1),
                    said(&RunOutcome::aer, 1), format_count(parameters), said(&RunOutcome::seconds, 0),
                    said(&RunOutcome::words_per_second, 0));
  }
  return text;
}

std::string length_table(const Study& study, const RunOutcomes& outcomes) {
  const std::vector<std::string> bins = lengths_of(outcomes);
  std::string text = "| BLEU by source length |", rule = "|---|";
  for (const std::string& bin : bins) {
    text += fmt::format(" {} |", bin);
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const Row& row : study.rows) {
    text += fmt::format("| {} |", row.label);
    for (const std::string& bin : bins) {
      text += fmt::format(
          " {} |", to_text(mean_and_range(outcomes.at(row.experiment), bleu_of_part(&RunOutcome::by_length, bin)), 1));
    }
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json bleu_of(const Parts& parts) {
  auto values = nlohmann::ordered_json::object();
  for (const auto& [name, part] : parts) values[name] = part.bleu;
  return values;
}

nlohmann::ordered_json aer_of(const Parts& parts) {
  auto values = nlohmann::ordered_json::object();
  for (const auto& [name, part] : parts) values[name] = json_of(part.aer);
  return values;
}

}  // namespace

std::string summary(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options) {
  if (study.claims.empty()) return "";
  std::size_t held = 0;
  for (const Claim& claim : study.claims) held += claim.check(outcomes).held;
  return fmt::format("{} of {} claims of the paper held on {}, {} seed{}.", held, study.claims.size(),
                     options.data.empty() ? "the toy corpus" : options.data, options.seeds,
                     options.seeds == 1 ? "" : "s");
}

std::string baseline_text(const Study& study, const RunOutcomes& outcomes) {
  std::map<std::size_t, double> aer;  // key: largest number of words in training
  bool aligns = false;
  for (const Experiment& e : study.experiments) {
    const std::optional<data::MeanAndRange> links =
        mean_and_range(outcomes.at(e.name), std::mem_fn(&RunOutcome::em_aer));
    if (links) aer[e.longest] = links->mean;
    aligns = aligns || mean_and_range(outcomes.at(e.name), std::mem_fn(&RunOutcome::aer));
  }
  if (!aligns || aer.empty()) return "";
  std::string figures;
  for (const auto& [longest, mean] : aer) {
    figures += fmt::format("{}{:.1f}{}", figures.empty() ? "" : ", ", mean,
                           longest > 0 ? fmt::format(" (pairs of at most {} words)", longest) : "");
  }
  return "What attention replaced: links that expectation-maximisation learns from the same training pairs (links) "
         "have AER " +
         figures + ".";
}

std::string report_text(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options) {
  std::string text = fmt::format("# {}\n\n", study.title);
  if (!study.claims.empty()) text += summary(study, outcomes, options) + "\n\n";
  for (const Claim& claim : study.claims) {
    const Verdict verdict = claim.check(outcomes);
    text += fmt::format("- **{}** {}: {}.\n", verdict.held ? "Held." : "Did not hold.", claim.text, verdict.figures);
  }
  if (!study.claims.empty()) text += "\n";
  text += table(study, outcomes) + fmt::format(
                                       "\nThe paper's figures: {}. Our translations are greedy, and our alignments "
                                       "come from teacher forcing. BLEU, exact match and AER are in percent.\n",
                                       study.paper_setting);
  const std::string baseline = baseline_text(study, outcomes);
  if (!baseline.empty()) text += "\n" + baseline + "\n";
  if (study.by_length)
    text += fmt::format("\n![BLEU against source length]({}.svg)\n\n{}", study.name, length_table(study, outcomes));
  return text + "\n## Commands\n\n```\n" + commands_text(study, options) + "```\n";
}

std::string report_json(const Study& study, const RunOutcomes& outcomes) {
  nlohmann::ordered_json experiments = nlohmann::ordered_json::object();
  for (const Experiment& e : study.experiments) {
    for (const RunOutcome& o : outcomes.at(e.name)) {
      experiments[e.name].push_back({{"perplexity", o.perplexity},
                                     {"bleu", o.bleu},
                                     {"exact_match", o.exact_match},
                                     {"aer", json_of(o.aer)},
                                     {"em_aer", json_of(o.em_aer)},
                                     {"words_per_second", o.words_per_second},
                                     {"seconds", o.seconds},
                                     {"parameters", o.parameters},
                                     {"bleu_by_length", bleu_of(o.by_length)},
                                     {"aer_by_length", aer_of(o.by_length)},
                                     {"aer_by_tag", aer_of(o.by_tag)}});
    }
  }
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const Claim& claim : study.claims) {
    const Verdict verdict = claim.check(outcomes);
    claims.push_back({{"claim", claim.text}, {"held", verdict.held}, {"figures", verdict.figures}});
  }
  return nlohmann::ordered_json{{"study", study.name}, {"claims", claims}, {"experiments", experiments}}.dump(2) + "\n";
}

}  // namespace softalign::apps
