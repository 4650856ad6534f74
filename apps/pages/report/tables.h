// The tables of a report: results, parts of the test set; and the rows of a study as tables and figures show them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// A row with one name, colour and dash in all tables and figures.
struct ShownRow {
  Row row;
  std::string name;       // the experiment's, without what all of its family begin with: "guided"
  std::size_t style = 0;  // of chart.css, told apart within the family
};

// Rows that are shown in one figure.
struct Family {
  std::string name;  // "" where a study has only one
  std::vector<ShownRow> rows;
};
std::vector<Family> families(const Study& study);

// A sample of the row's line, for tables and captions.
std::string swatch(const ShownRow& row);

// The parts of a table: columns with a best value, cells, heads of rows.
enum class Best { lowest, highest, none };

struct Column {
  std::string title;
  Best best;
  int decimals;
  Figure figure;
};

// The mean of the best row as text, so that all rows with the same text are bold; "" if no row is best.
std::string best_text(const Study& study, const Outcomes& outcomes, const Column& column);

// A value with its spread, bold if it is the best one; `kind` is a class.
std::string cell(const std::optional<data::MeanAndRange>& value, const Column& column, const std::string& best,
                 const std::string& kind = "");

std::string header(const std::string& title, const std::string& kind = "");

// The head of a row: its line and its name.
std::string row_head(const ShownRow& shown, const std::string& name);

// A line across the table with the family's name; "" for one without.
std::string family_line(const Family& family, std::size_t columns);

// The table in a frame that scrolls sideways on a narrow screen.
std::string framed_table(const std::string& markup, const std::string& kind);

// The main table of the report: one row per model, next to the figures of the paper. Each cell has the mean over the
// seeds with half their range. The best of each column is bold.
std::string results_table(const Study& study, const Outcomes& outcomes);

// Tables of the parts of a test set, by source length or by construction: BLEU and AER of each model on parts of the
// test set; "" if there is nothing to show. The lowest AER and the highest BLEU of each column are bold. The shade of a
// cell shows its AER, or 100 - BLEU.
std::string bleu_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);
std::string aer_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);

}  // namespace softalign::apps
