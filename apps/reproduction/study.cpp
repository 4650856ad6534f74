#include "apps/reproduction/study.h"

#include <fmt/format.h>

#include <limits>

namespace apps {

namespace {

template <class Value>
double mean(const Outcomes& outcomes, const std::string& experiment, const Value& value) {
  double sum = 0;
  const std::vector<Outcome>& seeds = outcomes.at(experiment);
  for (const Outcome& outcome : seeds) sum += value(outcome);
  return sum / static_cast<double>(seeds.size());
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double mean_bleu(const Outcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, [](const Outcome& o) { return o.bleu; });
}

double mean_perplexity(const Outcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, [](const Outcome& o) { return o.perplexity; });
}

double mean_aer(const Outcomes& outcomes, const std::string& experiment) {
  return mean(outcomes, experiment, [](const Outcome& o) { return o.aer.value_or(unknown); });
}

double mean_bleu(const Outcomes& outcomes, const std::string& experiment, const std::string& bin) {
  return mean(outcomes, experiment, [&](const Outcome& o) {
    const auto found = o.by_length.find(bin);
    return found == o.by_length.end() ? unknown : found->second;
  });
}

std::vector<std::string> lengths_of(const Outcomes& outcomes) {
  std::map<int, std::string> bins;
  for (const auto& [name, seeds] : outcomes)
    for (const Outcome& outcome : seeds)
      for (const auto& [bin, bleu] : outcome.by_length) bins[std::stoi(bin)] = bin;
  std::vector<std::string> names;
  for (const auto& [first, name] : bins) names.push_back(name);
  return names;
}

Claim claim_bleu(const std::string& text, const std::string& better, const std::string& worse) {
  return {text, [=](const Outcomes& o) {
            const double high = mean_bleu(o, better), low = mean_bleu(o, worse);
            return Verdict{high > low, fmt::format("{} {:.1f} BLEU, {} {:.1f}", better, high, worse, low)};
          }};
}

}  // namespace apps
