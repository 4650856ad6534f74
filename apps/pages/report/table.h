// What the report's tables are made of: columns with a best value, cells, heads of rows.
#pragma once

#include <cstddef>
#include <string>

#include "apps/pages/report/rows.h"
#include "apps/reproduction/figure.h"

namespace softalign::apps {

enum class Best { lowest, highest, none };

struct Column {
  std::string title;
  Best best;
  int decimals;
  Figure figure;
};

// The mean of the best row as it is written, so that rows that look alike are bold together; "" if none is best.
std::string best_text(const Study& study, const Outcomes& outcomes, const Column& column);

// A value with its spread, bold if it is the best one; `kind` is a class.
std::string cell(const std::optional<data::Spread>& value, const Column& column, const std::string& best,
                 const std::string& kind = "");

std::string header(const std::string& title, const std::string& kind = "");

// The head of a row: its line and its name.
std::string row_head(const ShownRow& shown, const std::string& name);

// A line across the table with the family's name; "" for one without.
std::string family_line(const Family& family, std::size_t columns);

// The table in a frame of its own, which scrolls sideways where the screen is narrow.
std::string framed_table(const std::string& markup, const std::string& kind);

}  // namespace softalign::apps
