// Where the tests find things. One source alone knows the folders of this machine, so that a compiler cache serves the
// others in any.
#pragma once

#include <string>

namespace testing {

std::string source_folder();  // of the project
std::string python();         // the interpreter

}  // namespace testing
