#include "apps/pages/report/conclusion.h"

#include <fmt/format.h>

#include <functional>

#include "apps/pages/html.h"
#include "apps/reproduction/figure.h"

namespace softalign::apps {

namespace {

// The row with the highest mean of `sign` times the figure, among those that `may` says; none if no row has it.
struct Winner {
  const Row* row = nullptr;
  std::optional<data::Spread> value;
};
Winner best_of(const Study& study, const Outcomes& outcomes, const Figure& figure, double sign,
               const std::function<bool(const Outcome&)>& may) {
  Winner best;
  for (const Row& row : study.rows) {
    const std::vector<Outcome>& seeds = outcomes.at(row.experiment);
    const auto value = may(seeds.front()) ? spread(seeds, figure) : std::nullopt;
    if (value && (!best.row || sign * value->mean > sign * best.value->mean)) best = {&row, value};
  }
  return best;
}

std::string best_models(const Study& study, const Outcomes& outcomes) {
  const auto any = [](const Outcome&) { return true; };
  const auto bleu = best_of(study, outcomes, std::mem_fn(&Outcome::bleu), 1, any);
  const auto aer = best_of(study, outcomes, std::mem_fn(&Outcome::aer), -1, any);
  const auto blind =
      best_of(study, outcomes, std::mem_fn(&Outcome::bleu), 1, [](const Outcome& o) { return !o.attends; });
  const auto name = [](const Winner& winner) { return element("b", {}, text(winner.row->experiment)); };
  std::string said;
  if (bleu.row) said += fmt::format("{} translates best, {} BLEU", name(bleu), to_text(bleu.value, 1));
  if (blind.row && bleu.row != blind.row) {
    said += fmt::format("; without attention {} does, {} BLEU", name(blind), to_text(blind.value, 1));
  }
  if (aer.row) said += fmt::format("; {} aligns best, AER {}", name(aer), to_text(aer.value, 1));
  return said.empty() ? "" : said + ".";
}

}  // namespace

std::string claim_line(const std::string& claim, const Verdict& verdict) {
  const std::string mark = verdict.held ? "✓ holds" : "✗ does not hold";
  return element("li", {{"class", verdict.held ? "held" : "failed"}},
                 element("span", {{"class", "verdict"}}, mark) + " " + element("span", {}, text(claim)) + " " +
                     element("span", {{"class", "quiet"}}, text(verdict.figures)));
}

std::string conclusion(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options) {
  std::string claims, markup;
  for (const Claim& claim : study.claims) claims += claim_line(claim.text, claim.check(outcomes)) + "\n";
  if (!claims.empty())
    markup += element("p", {{"class", "lead"}}, element("b", {}, text(summary(study, outcomes, options))));
  markup += element("p", {{"class", "lead"}}, best_models(study, outcomes));
  if (!claims.empty()) markup += element("ol", {{"class", "claims"}}, "\n" + claims);
  return element("section", {{"id", "conclusion"}}, markup) + "\n";
}

}  // namespace softalign::apps
