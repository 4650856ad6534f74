#include "apps/reproduction/figure.h"

namespace softalign::apps {

std::optional<data::Spread> spread(const std::vector<Outcome>& seeds, const Figure& figure) {
  std::vector<std::optional<double>> values;
  for (const Outcome& outcome : seeds) values.push_back(figure(outcome));
  return data::spread(values);
}

namespace {

template <class Value>
Figure of_part(Parts Outcome::*parts, const std::string& name, Value value) {
  return [=](const Outcome& outcome) -> std::optional<double> {
    const auto found = (outcome.*parts).find(name);
    if (found == (outcome.*parts).end()) return {};
    return value(found->second);
  };
}

}  // namespace

Figure bleu_of_part(Parts Outcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return std::optional<double>(part.bleu); });
}
Figure aer_of_part(Parts Outcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return part.aer; });
}

}  // namespace softalign::apps
