#include "apps/pages/report/table.h"

#include "apps/pages/html.h"

namespace softalign::apps {

std::string best_text(const Study& study, const Outcomes& outcomes, const Column& column) {
  std::optional<data::Spread> best;
  for (const Row& row : study.rows) {
    const std::optional<data::Spread> now = spread(outcomes.at(row.experiment), column.figure);
    if (!now || column.best == Best::none) continue;
    const bool better = !best || (column.best == Best::lowest ? now->mean < best->mean : now->mean > best->mean);
    if (better) best = now;
  }
  return best ? mean_text(best, column.decimals) : "";
}

std::string cell(const std::optional<data::Spread>& value, const Column& column, const std::string& best,
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

std::string family_line(const Family& family, std::size_t columns) {
  if (family.name.empty()) return "";
  return element("tr", {{"class", "family"}},
                 element("th", {{"colspan", static_cast<double>(columns)}, {"scope", "rowgroup"}}, text(family.name)));
}

std::string framed_table(const std::string& markup, const std::string& kind) {
  return element("div", {{"class", "scroll"}, {"tabindex", "0"}}, element("table", {{"class", kind}}, markup)) + "\n";
}

}  // namespace softalign::apps
