// This file finds the format of an alignment file by its content, for files whose name does not say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// Returns the format of the first line that has the form of a known format, or nothing if no line has.
std::optional<AlignmentFormat> format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
