#include "apps/reproduction/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace apps {

namespace {

// "97.4", of several seeds "97.4 ± 0.6", or "-".
template <class Value>
std::string spread(const std::vector<Outcome>& seeds, int decimals, const Value& value) {
  std::vector<double> values;
  for (const Outcome& outcome : seeds) values.push_back(value(outcome));
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) return "-";
  double sum = 0;
  for (const double v : values) sum += v;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string mean = fmt::format("{:.{}f}", sum / static_cast<double>(values.size()), decimals);
  return values.size() == 1 ? mean : fmt::format("{} ± {:.{}f}", mean, (*high - *low) / 2, decimals);
}

std::string table(const Study& study, const Outcomes& outcomes) {
  std::string text =
      "| | in the paper | perplexity | BLEU | exact match | AER | words/s |\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : study.rows) {
    const std::vector<Outcome>& seeds = outcomes.at(row.experiment);
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.label, row.paper.empty() ? "-" : row.paper,
                        spread(seeds, 3, [](const Outcome& o) { return o.perplexity; }),
                        spread(seeds, 1, [](const Outcome& o) { return o.bleu; }),
                        spread(seeds, 1, [](const Outcome& o) { return o.exact_match; }),
                        spread(seeds, 1, [](const Outcome& o) { return o.aer.value_or(NAN); }),
                        spread(seeds, 0, [](const Outcome& o) { return o.words_per_second; }));
  }
  return text;
}

std::string length_table(const Study& study, const Outcomes& outcomes) {
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
      text += fmt::format(" {} |", spread(outcomes.at(row.experiment), 1, [&](const Outcome& o) {
                            const auto found = o.by_length.find(bin);
                            return found == o.by_length.end() ? NAN : found->second;
                          }));
    }
    text += "\n";
  }
  return text;
}

std::string commands(const Study& study, const ReproduceOptions& options) {
  std::set<std::string> said;
  std::string text;
  const auto say = [&](const Command& command) {
    const std::string line = as_typed(command);
    if (said.insert(line).second) text += line + "\n";
  };
  for (const Job& job : jobs_of(study, options)) {
    if (!job.corpus.empty()) say(job.corpus);
    say(job.train);
    say(job.evaluate);
  }
  return text;
}

}  // namespace

std::string report_text(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options) {
  std::string claims;
  std::size_t held = 0;
  for (const Claim& claim : study.claims) {
    const Verdict verdict = claim.check(outcomes);
    held += verdict.held;
    claims += fmt::format("- **{}** {}: {}.\n", verdict.held ? "Held." : "Did not hold.", claim.text, verdict.figures);
  }
  std::string text = fmt::format("# {}\n\n", study.title);
  if (!study.claims.empty())
    text += fmt::format("{} of {} claims of the paper held on {}, {} seed{}.\n\n{}\n", held, study.claims.size(),
                        options.data.empty() ? "the toy corpus" : options.data, options.seeds,
                        options.seeds == 1 ? "" : "s", claims);
  text += table(study, outcomes) + fmt::format(
                                       "\nThe paper's figures: {}. Ours: greedy translations, forced alignments; "
                                       "BLEU, exact match and AER in percent.\n",
                                       study.paper_setting);
  if (study.by_length)
    text += fmt::format("\n![BLEU against source length]({}.svg)\n\n{}", study.name, length_table(study, outcomes));
  return text + "\n## Commands\n\n```\n" + commands(study, options) + "```\n";
}

std::string report_json(const Study& study, const Outcomes& outcomes) {
  nlohmann::ordered_json experiments = nlohmann::ordered_json::object();
  for (const Experiment& e : study.experiments) {
    for (const Outcome& o : outcomes.at(e.name)) {
      experiments[e.name].push_back({{"perplexity", o.perplexity},
                                     {"bleu", o.bleu},
                                     {"exact_match", o.exact_match},
                                     {"aer", o.aer ? nlohmann::ordered_json(*o.aer) : nlohmann::ordered_json(nullptr)},
                                     {"words_per_second", o.words_per_second},
                                     {"bleu_by_length", o.by_length}});
    }
  }
  nlohmann::ordered_json claims = nlohmann::ordered_json::array();
  for (const Claim& claim : study.claims) {
    const Verdict verdict = claim.check(outcomes);
    claims.push_back({{"claim", claim.text}, {"held", verdict.held}, {"figures", verdict.figures}});
  }
  return nlohmann::ordered_json{{"study", study.name}, {"claims", claims}, {"experiments", experiments}}.dump(2) + "\n";
}

}  // namespace apps
