// What a reader owes to whoever brings a file: it takes it or refuses it, within bounds.
#pragma once

#include <string>

#include "tests/apps/fuzz/readers.h"

namespace fuzz {

// What is wrong with how the reader takes the file: another error than a user's, a message without words, more than ten
// seconds of the processor, more than 3 GB of memory (the process's, at its peak). "" if nothing is.
std::string problem_of(const Reader& reader, const std::string& path);

}  // namespace fuzz
