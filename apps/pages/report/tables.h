// This file makes the tables of a report. One table shows the main results. Other tables show the scores on parts of
// the test set. The file also defines how tables and figures show a model: by a name, a colour and a style of line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// ShownRow is a model of the study, which has one row in the tables and one line in the figures. The name of the model,
// and the colour and dashes of its line, are the same everywhere.
struct ShownRow {
  Row row;
  std::string name;       // name of the experiment, without the beginning that its family has in common: "guided"
  std::size_t style = 0;  // style of chart.css, different for each row of a family
};

// RowGroup has the rows of one family of models. One figure of the report shows these rows.
struct RowGroup {
  std::string name;  // "" if the study has only one family
  std::vector<ShownRow> rows;
};
std::vector<RowGroup> row_groups(const Study& study);

// Returns a short sample of the line that charts draw for this row, for tables and captions.
std::string swatch(const ShownRow& row);

// The types and functions below make the parts of a table: columns, cells, and the heads of columns and rows. BestValue
// says which value of a column is the best one.
enum class BestValue { lowest, highest, none };

struct Column {
  std::string title;
  BestValue best;
  int decimals;
  Figure figure;
};

// Returns the best mean of a column as text, rounded to the decimals of the column. The table prints every cell with
// this text in bold. Returns "" for a column without a best value (BestValue::none).
std::string best_text(const Study& study, const RunOutcomes& outcomes, const Column& column);

// Returns the table cell of a value with its range. The cell is bold if its text is `best`. `kind` is the CSS class of
// the cell.
std::string cell(const std::optional<data::MeanAndRange>& value, const Column& column, const std::string& best,
                 const std::string& kind = "");

std::string header(const std::string& title, const std::string& kind = "");

// Returns the head of a table row: a sample of the line in charts, and the name.
std::string row_head(const ShownRow& shown, const std::string& name);

// Returns a row across all columns with the name of the family. Returns "" for a family without a name.
std::string group_line(const RowGroup& group, std::size_t columns);

// Returns the table in a frame that scrolls sideways on a narrow screen.
std::string framed_table(const std::string& markup, const std::string& kind);

// Returns the main table of the report. It has one row per model, with the paper's numbers next to ours. A cell has the
// mean over the seeds, and half of the range over the seeds. The best value of each column is bold.
std::string results_table(const Study& study, const RunOutcomes& outcomes);

// Returns a table with the BLEU or the AER of each model on parts of the test set. The sentences of a part have similar
// source lengths or the same tag. The best value of each column is bold: the highest BLEU or the lowest AER. Darker
// cells have worse values. Returns "" if there is nothing to show.
std::string bleu_table(const Study& study, const RunOutcomes& outcomes, Parts RunOutcome::*parts);
std::string aer_table(const Study& study, const RunOutcomes& outcomes, Parts RunOutcome::*parts);

}  // namespace softalign::apps
