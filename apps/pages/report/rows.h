// The rows of a study as all tables and figures of its report show them: one name, colour and dash each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/pages/chart.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

struct ShownRow {
  Row row;
  std::string name;       // the experiment's, without what all of its family begin with: "guided"
  std::size_t style = 0;  // of chart.css, told apart within the family
};

// Rows that stand together in a figure.
struct Family {
  std::string name;  // "" where a study has only one
  std::vector<ShownRow> rows;
};
std::vector<Family> families(const Study& study);

// A sample of the row's line, for tables and captions.
std::string swatch(const ShownRow& row);

}  // namespace softalign::apps
