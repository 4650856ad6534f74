// The files of an experiment: text, numbers, charts and a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/experiments/experiment.h"

namespace softalign::apps {

// "3 of 4 claims held, 3 seeds."
std::string summary(const Shown& shown, std::size_t seeds);

// Markdown: the claims with their figures, the table.
std::string report_text(const Demonstration& demonstration, const Shown& shown, std::size_t seeds);

// Writes OUT/NAME.html (static, no script), .md, .json, .svg, -2.svg .. of its charts, -weights.svg and
// -pictures.svg; their names.
std::vector<std::string> write_files(const Demonstration& demonstration, const Shown& shown, std::size_t seeds,
                                     const std::string& out);

}  // namespace softalign::apps
