// Folders that the tests need. Only folders.cpp contains the paths of this machine, so a compiler cache serves the
// other sources in any folder.
#pragma once

#include <string>

namespace testing {

std::string source_folder();  // of the project
std::string python();         // the interpreter

}  // namespace testing
