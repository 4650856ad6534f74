#include "apps/pages/report/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/pages/html.h"
#include "apps/pages/report/style.h"

namespace softalign::apps {

namespace {

// What all names that go on after it have in common, up to a hyphen: "luong-" of luong-dot and luong-concat, and
// "rnnsearch-" of rnnsearch and rnnsearch-gru; less of it where a letter alone would be left.
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

std::vector<Family> families(const Study& study) {
  std::vector<Family> all;
  for (const Row& row : study.rows) {
    if (all.empty() || all.back().name != row.family) all.push_back({row.family, {}});
    all.back().rows.push_back({row, row.experiment, all.back().rows.size() % row_styles});
  }
  for (Family& family : all) {
    const std::string common = common_beginning(family.rows);
    for (ShownRow& shown : family.rows) {
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

}  // namespace softalign::apps
