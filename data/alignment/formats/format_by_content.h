// Which format a file of alignments has, by its content, for files whose name does not say it.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

// The name of the format of the first line that has a format's form; "" if there is none.
std::string format_by_content(const std::vector<std::string>& lines);

}  // namespace softalign::data
