#include "apps/pages/report/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "apps/pages/html.h"
#include "apps/pages/report/table.h"
#include "apps/terminal/progress.h"

namespace softalign::apps {

namespace {

// The parts that any model has the figure of, and how many pairs each is; lengths in their order.
std::vector<std::pair<std::string, std::size_t>> parts_with(const Outcomes& outcomes, Parts Outcome::*parts,
                                                            const std::function<bool(const Part&)>& has) {
  std::map<std::string, std::size_t> found;
  for (const auto& [name, seeds] : outcomes) {
    for (const auto& [part_name, part] : seeds.front().*parts) {
      if (has(part)) found[part_name] = part.pairs;
    }
  }
  std::vector<std::pair<std::string, std::size_t>> ordered(found.begin(), found.end());
  if (parts == &Outcome::by_length)
    std::sort(ordered.begin(), ordered.end(),
              [](const auto& a, const auto& b) { return std::stoi(a.first) < std::stoi(b.first); });
  return ordered;
}

std::string parts_table(const Study& study, const Outcomes& outcomes,
                        const std::vector<std::pair<std::string, std::size_t>>& parts, Column column,
                        const std::function<Figure(const std::string&)>& figure) {
  if (parts.empty()) return "";
  std::string names = header(column.title), counts = element("th", {{"scope", "row"}}, "pairs");
  std::vector<std::string> best;
  const bool upright = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.first.size() > 7; });
  for (const auto& [name, pairs] : parts) {
    names += header(name, upright ? "upright" : "");
    counts += element("td", {}, format_count(pairs));
    column.figure = figure(name);
    best.push_back(best_text(study, outcomes, column));
  }
  std::string markup = element("thead", {}, element("tr", {}, names) + element("tr", {{"class", "pairs"}}, counts));
  for (const Family& family : families(study)) {
    std::string body;
    for (const ShownRow& shown : family.rows) {
      std::string cells = row_head(shown, shown.row.experiment);
      bool any = false;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto value = spread(outcomes.at(shown.row.experiment), figure(parts[i].first));
        const double wrong = !value ? 0 : column.best == Best::lowest ? value->mean : 100 - value->mean;
        cells += cell(value, column, best[i], value ? fmt::format("shade h{:.0f}", wrong / 10) : "");
        any = any || value;
      }
      if (any) body += element("tr", {}, cells) + "\n";
    }
    if (!body.empty()) markup += element("tbody", {}, family_line(family, parts.size() + 1) + body);
  }
  return framed_table(markup, "parts");
}

}  // namespace

std::string bleu_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts) {
  return parts_table(study, outcomes, parts_with(outcomes, parts, [](const Part&) { return true; }),
                     {"BLEU", Best::highest, 1, {}},
                     [&](const std::string& name) { return bleu_of_part(parts, name); });
}

std::string aer_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts) {
  return parts_table(study, outcomes,
                     parts_with(outcomes, parts, [](const Part& part) { return part.aer.has_value(); }),
                     {"AER", Best::lowest, 1, {}}, [&](const std::string& name) { return aer_of_part(parts, name); });
}

}  // namespace softalign::apps
