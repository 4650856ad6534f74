#include "apps/reproduction/study.h"

#include <fmt/format.h>

#include <limits>

namespace softalign::apps {

namespace {

double mean(const RunOutcomes& outcomes, const std::string& experiment, const Figure& figure) {
  const std::optional<data::MeanAndRange> s = mean_and_range(outcomes.at(experiment), figure);
  return s ? s->mean : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double mean_bleu(const RunOutcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, std::mem_fn(&RunOutcome::bleu));
}

double mean_perplexity(const RunOutcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, std::mem_fn(&RunOutcome::perplexity));
}

double mean_aer(const RunOutcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, std::mem_fn(&RunOutcome::aer));
}

double mean_bleu(const RunOutcomes& outcomes, const std::string& experiment, const std::string& bin) {
  return mean(outcomes, experiment, bleu_of_part(&RunOutcome::by_length, bin));
}

std::vector<std::string> lengths_of(const RunOutcomes& outcomes) {
  std::map<int, std::string> bins;
  for (const auto& [name, seeds] : outcomes)
    for (const RunOutcome& outcome : seeds)
      for (const auto& [bin, part] : outcome.by_length) bins[std::stoi(bin)] = bin;
  std::vector<std::string> names;
  for (const auto& [first, name] : bins) names.push_back(name);
  return names;
}

Claim claim_bleu(const std::string& text, const std::string& better, const std::string& worse) {
  return {text, [=](const RunOutcomes& o) {
            const double high = mean_bleu(o, better), low = mean_bleu(o, worse);
            return Verdict{high > low, fmt::format("{} {:.1f} BLEU, {} {:.1f}", better, high, worse, low)};
          }};
}

std::optional<data::MeanAndRange> mean_and_range(const std::vector<RunOutcome>& seeds, const Figure& figure) {
  std::vector<std::optional<double>> values;
  for (const RunOutcome& outcome : seeds) values.push_back(figure(outcome));
  return data::mean_and_range(values);
}

namespace {

template <class Value>
Figure of_part(Parts RunOutcome::*parts, const std::string& name, Value value) {
  return [=](const RunOutcome& outcome) -> std::optional<double> {
    const auto found = (outcome.*parts).find(name);
    if (found == (outcome.*parts).end()) return {};
    return value(found->second);
  };
}

}  // namespace

Figure bleu_of_part(Parts RunOutcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return std::optional<double>(part.bleu); });
}
Figure aer_of_part(Parts RunOutcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return part.aer; });
}

}  // namespace softalign::apps
