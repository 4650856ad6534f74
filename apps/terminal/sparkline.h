// A curve in one line of text (a sparkline, Tufte 2006).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::apps {

// The values from the first to the last as "█▅▃▂▁▁": the highest of them █, the lowest ▁ (equal ones all █), what is
// not finite a space, one column each. Where they are more than `columns`, each column is the mean of several that
// follow each other. "" without values or columns.
std::string sparkline(const std::vector<double>& values, std::size_t columns);

}  // namespace softalign::apps
