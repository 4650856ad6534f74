#include "apps/pages/report/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "apps/pages/html.h"
#include "apps/pages/report/table.h"
#include "apps/terminal/progress.h"

namespace softalign::apps {

namespace {

// The columns that any row has a value of: where no model aligns there is no AER.
std::vector<Column> columns_of(const Study& study, const Outcomes& outcomes) {
  std::vector<Column> columns = {{"perplexity", Best::lowest, 3, std::mem_fn(&Outcome::perplexity)},
                                 {"BLEU", Best::highest, 1, std::mem_fn(&Outcome::bleu)},
                                 {"exact match", Best::highest, 1, std::mem_fn(&Outcome::exact_match)},
                                 {"AER", Best::lowest, 1, std::mem_fn(&Outcome::aer)},
                                 {"words/s", Best::none, 0, std::mem_fn(&Outcome::words_per_second)}};
  std::erase_if(columns, [&](const Column& column) {
    return std::none_of(study.rows.begin(), study.rows.end(),
                        [&](const Row& row) { return spread(outcomes.at(row.experiment), column.figure).has_value(); });
  });
  return columns;
}

}  // namespace

std::string results_table(const Study& study, const Outcomes& outcomes) {
  const std::vector<Column> columns = columns_of(study, outcomes);
  std::string head = header("model");
  for (const Column& column : columns) head += header(column.title);
  head += header("training") + header("parameters") + header("in the paper", "paper");
  std::string markup = element("thead", {}, element("tr", {}, head));
  for (const Family& family : families(study)) {
    std::string body = family_line(family, columns.size() + 4);
    for (const ShownRow& shown : family.rows) {
      const std::vector<Outcome>& seeds = outcomes.at(shown.row.experiment);
      std::string cells = row_head(shown, shown.row.label);
      for (const Column& column : columns) {
        cells += cell(spread(seeds, column.figure), column, best_text(study, outcomes, column));
      }
      cells += element("td", {},
                       format_duration(spread(seeds, std::mem_fn(&Outcome::seconds)).value_or(data::Spread{}).mean));
      cells += element("td", {}, format_count(seeds.front().parameters));
      cells += element("td", {{"class", "paper"}}, text(shown.row.paper.empty() ? "-" : shown.row.paper));
      body += element("tr", {}, cells) + "\n";
    }
    markup += element("tbody", {}, body);
  }
  return framed_table(markup, "results");
}

}  // namespace softalign::apps
