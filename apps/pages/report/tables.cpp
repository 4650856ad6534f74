#include "apps/pages/report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "apps/pages/html.h"
#include "apps/pages/report/style.h"
#include "apps/terminal/progress.h"

namespace softalign::apps {

namespace {

// Returns the common beginning of all names that contain a hyphen, up to a hyphen. It is "luong-" for luong-dot and
// luong-concat, and "rnnsearch-" for rnnsearch and rnnsearch-gru. It is shorter if only one letter of a name would be
// left.
std::string common_beginning(const std::vector<ShownRow>& rows) {
  std::string common;
  std::size_t shortest = std::string::npos;
  for (const ShownRow& shown : rows) {
    const std::string& name = shown.row.experiment;
    if (name.find('-') == name.npos) continue;
    if (shortest == name.npos) common = name;
    shortest = std::min(shortest, name.size());
    common.erase(std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first, common.end());
  }
  common.erase(common.rfind('-') + 1);
  if (shortest < common.size() + 2) common.erase(common.rfind('-', common.size() - 2) + 1);
  return common;
}

}  // namespace

std::vector<RowGroup> row_groups(const Study& study) {
  std::vector<RowGroup> all;
  for (const Row& row : study.rows) {
    if (all.empty() || all.back().name != row.family) all.push_back({row.family, {}});
    all.back().rows.push_back({row, row.experiment, all.back().rows.size() % row_styles});
  }
  for (RowGroup& group : all) {
    const std::string common = common_beginning(group.rows);
    for (ShownRow& shown : group.rows) {
      if (shown.name.starts_with(common) && shown.name.size() > common.size()) shown.name.erase(0, common.size());
    }
  }
  return all;
}

std::string swatch(const ShownRow& row) {
  return element(
      "svg",
      {{"class", fmt::format("swatch s{}", row.style)}, {"width", 26.0}, {"height", 8.0}, {"aria-hidden", "true"}},
      element("path", {{"class", "line"}, {"d", "M0 4L26 4"}}));
}

std::string best_text(const Study& study, const RunOutcomes& outcomes, const Column& column) {
  std::optional<data::MeanAndRange> best;
  for (const Row& row : study.rows) {
    const std::optional<data::MeanAndRange> now = mean_and_range(outcomes.at(row.experiment), column.figure);
    if (!now || column.best == BestValue::none) continue;
    const bool better = !best || (column.best == BestValue::lowest ? now->mean < best->mean : now->mean > best->mean);
    if (better) best = now;
  }
  return best ? mean_text(best, column.decimals) : "";
}

std::string cell(const std::optional<data::MeanAndRange>& value, const Column& column, const std::string& best,
                 const std::string& kind) {
  const bool bold = value && mean_text(value, column.decimals) == best;
  const std::string said = to_text(value, column.decimals);
  return element("td", {{"class", kind}}, bold ? element("b", {}, said) : said);
}

std::string header(const std::string& title, const std::string& kind) {
  return element("th", {{"scope", "col"}, {"class", kind}}, element("span", {}, text(title)));
}

std::string row_head(const ShownRow& shown, const std::string& name) {
  return element("th", {{"scope", "row"}}, swatch(shown) + element("span", {}, text(name)));
}

std::string group_line(const RowGroup& group, std::size_t columns) {
  if (group.name.empty()) return "";
  return element("tr", {{"class", "family"}},
                 element("th", {{"colspan", static_cast<double>(columns)}, {"scope", "rowgroup"}}, text(group.name)));
}

std::string framed_table(const std::string& markup, const std::string& kind) {
  return element("div", {{"class", "scroll"}, {"tabindex", "0"}}, element("table", {{"class", kind}}, markup)) + "\n";
}

namespace {

// Returns the columns for which some row has a value. For example, there is no AER if no model aligns.
std::vector<Column> columns_of(const Study& study, const RunOutcomes& outcomes) {
  std::vector<Column> columns = {{"perplexity", BestValue::lowest, 3, std::mem_fn(&RunOutcome::perplexity)},
                                 {"BLEU", BestValue::highest, 1, std::mem_fn(&RunOutcome::bleu)},
                                 {"exact match", BestValue::highest, 1, std::mem_fn(&RunOutcome::exact_match)},
                                 {"AER", BestValue::lowest, 1, std::mem_fn(&RunOutcome::aer)},
                                 {"words/s", BestValue::none, 0, std::mem_fn(&RunOutcome::words_per_second)}};
  std::erase_if(columns, [&](const Column& column) {
    return std::none_of(study.rows.begin(), study.rows.end(), [&](const Row& row) {
      return mean_and_range(outcomes.at(row.experiment), column.figure).has_value();
    });
  });
  return columns;
}

}  // namespace

std::string results_table(const Study& study, const RunOutcomes& outcomes) {
  const std::vector<Column> columns = columns_of(study, outcomes);
  std::string head = header("model");
  for (const Column& column : columns) head += header(column.title);
  head += header("training") + header("parameters") + header("in the paper", "paper");
  std::string markup = element("thead", {}, element("tr", {}, head));
  for (const RowGroup& group : row_groups(study)) {
    std::string body = group_line(group, columns.size() + 4);
    for (const ShownRow& shown : group.rows) {
      const std::vector<RunOutcome>& seeds = outcomes.at(shown.row.experiment);
      std::string cells = row_head(shown, shown.row.label);
      for (const Column& column : columns) {
        cells += cell(mean_and_range(seeds, column.figure), column, best_text(study, outcomes, column));
      }
      cells +=
          element("td", {},
                  format_duration(
                      mean_and_range(seeds, std::mem_fn(&RunOutcome::seconds)).value_or(data::MeanAndRange{}).mean));
      cells += element("td", {}, format_count(seeds.front().parameters));
      cells += element("td", {{"class", "paper"}}, text(shown.row.paper.empty() ? "-" : shown.row.paper));
      body += element("tr", {}, cells) + "\n";
    }
    markup += element("tbody", {}, body);
  }
  return framed_table(markup, "results");
}

namespace {

// Returns the parts for which some model has the figure, with their numbers of pairs. Length ranges are sorted by
// number.
std::vector<std::pair<std::string, std::size_t>> parts_with(const RunOutcomes& outcomes, Parts RunOutcome::*parts,
                                                            const std::function<bool(const Part&)>& has) {
  std::map<std::string, std::size_t> found;
  for (const auto& [name, seeds] : outcomes) {
    for (const auto& [part_name, part] : seeds.front().*parts) {
      if (has(part)) found[part_name] = part.pairs;
    }
  }
  std::vector<std::pair<std::string, std::size_t>> ordered(found.begin(), found.end());
  if (parts == &RunOutcome::by_length)
    std::sort(ordered.begin(), ordered.end(),
              [](const auto& a, const auto& b) { return std::stoi(a.first) < std::stoi(b.first); });
  return ordered;
}

std::string parts_table(const Study& study, const RunOutcomes& outcomes,
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
  for (const RowGroup& group : row_groups(study)) {
    std::string body;
    for (const ShownRow& shown : group.rows) {
      std::string cells = row_head(shown, shown.row.experiment);
      bool any = false;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto value = mean_and_range(outcomes.at(shown.row.experiment), figure(parts[i].first));
        const double wrong = !value ? 0 : column.best == BestValue::lowest ? value->mean : 100 - value->mean;
        cells += cell(value, column, best[i], value ? fmt::format("shade h{:.0f}", wrong / 10) : "");
        any = any || value;
      }
      if (any) body += element("tr", {}, cells) + "\n";
    }
    if (!body.empty()) markup += element("tbody", {}, group_line(group, parts.size() + 1) + body);
  }
  return framed_table(markup, "parts");
}

}  // namespace

std::string bleu_table(const Study& study, const RunOutcomes& outcomes, Parts RunOutcome::*parts) {
  return parts_table(study, outcomes, parts_with(outcomes, parts, [](const Part&) { return true; }),
                     {"BLEU", BestValue::highest, 1, {}},
                     [&](const std::string& name) { return bleu_of_part(parts, name); });
}

std::string aer_table(const Study& study, const RunOutcomes& outcomes, Parts RunOutcome::*parts) {
  return parts_table(
      study, outcomes, parts_with(outcomes, parts, [](const Part& part) { return part.aer.has_value(); }),
      {"AER", BestValue::lowest, 1, {}}, [&](const std::string& name) { return aer_of_part(parts, name); });
}

}  // namespace softalign::apps
