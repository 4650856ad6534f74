// This function finds the format of an alignment file from its content, if the name of the file does not show it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// Returns the format of the first line that looks like a known format, or nothing if there is no such line.
std::optional<AlignmentFormat> format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
