// This function finds the format of an alignment file from its content, for files whose name does not tell the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// Returns the format of the first line that looks like a known format, or nothing if there is no such line.
std::optional<AlignmentFormat> format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
