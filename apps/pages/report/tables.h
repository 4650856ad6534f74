// This file makes the tables of a report. They show the results, and the scores of parts of the test set. The file also
// says how tables and figures show the row of a model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// ShownRow is a row of the study with its name, colour and dash, which are the same in all tables and figures.
struct ShownRow {
  Row row;
  std::string name;       // name of the experiment, without the beginning that its family has in common: "guided"
  std::size_t style = 0;  // style of chart.css, different for each row of a family
};

// RowGroup has the rows of one family of models, which one figure shows.
struct RowGroup {
  std::string name;  // "" if the study has only one family
  std::vector<ShownRow> rows;
};
std::vector<RowGroup> row_groups(const Study& study);

// Returns a short sample of the line that charts draw for this row, for tables and captions.
std::string swatch(const ShownRow& row);

// The types and functions below make the parts of a table: columns with a best value, cells, and the heads of rows.
enum class BestValue { lowest, highest, none };

struct Column {
  std::string title;
  BestValue best;
  int decimals;
  Figure figure;
};

// Returns the best mean of a column as text. All cells with the same text are then bold. Returns "" if no row is best.
std::string best_text(const Study& study, const Outcomes& outcomes, const Column& column);

// Returns the table cell of a value with its range. It is bold if the value is the best one. `kind` is its CSS class.
std::string cell(const std::optional<data::MeanAndRange>& value, const Column& column, const std::string& best,
                 const std::string& kind = "");

std::string header(const std::string& title, const std::string& kind = "");

// Returns the head of a table row: a sample of the line in charts, and the name.
std::string row_head(const ShownRow& shown, const std::string& name);

// Returns a row across all columns with the name of the family. Returns "" for a family without a name.
std::string group_line(const RowGroup& group, std::size_t columns);

// Returns the table in a frame that scrolls sideways on a narrow screen.
std::string framed_table(const std::string& markup, const std::string& kind);

// Returns the main table of the report. It has one row per model, with the figures of the paper next to ours. A cell
// has the mean over the seeds, and half the range. The best value of each column is bold.
std::string results_table(const Study& study, const Outcomes& outcomes);

// Returns tables with the BLEU and AER of each model on parts of a test set. Parts have the same source length or the
// same construction. The lowest AER and the highest BLEU of each column are bold. A darker cell is worse: its AER, or
// 100 minus its BLEU, is larger. Returns "" if there is nothing to show.
std::string bleu_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);
std::string aer_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);

}  // namespace softalign::apps
