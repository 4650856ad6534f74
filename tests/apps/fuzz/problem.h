// A reader must accept or refuse every file, within bounds of time and memory.
#pragma once

#include <string>

#include "tests/apps/fuzz/readers.h"

namespace fuzz {

// Describes what is wrong with how the reader handles the file; "" if nothing is. Four things are wrong: an error that
// is not a user's error, an empty message, more than 10 CPU seconds, or a peak of the process above 3 GB of memory.
std::string problem_of(const Reader& reader, const std::string& path);

}  // namespace fuzz
