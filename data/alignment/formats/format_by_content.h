// This function finds the format of an alignment file from its content, for files whose name does not tell the format.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

// Returns the name of the format of the first line that looks like a known format. Returns "" if there is no such line.
std::string format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
