// This file finds the format of an alignment file by its content, for files whose name does not say it.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

// Returns the name of the format of the first line that has the form of a known format, or "" if no line has.
std::string format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
