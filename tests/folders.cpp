#include "tests/folders.h"

namespace testing {

std::string source_folder() { return SOURCE_FOLDER; }
std::string python() { return PYTHON; }

}  // namespace testing
