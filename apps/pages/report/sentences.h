// Single sentences in the report: one by every model, and those over which models are most at odds.
#pragma once

#include <string>

#include "apps/pages/report/alignment_page.h"
#include "apps/pages/report/readings.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// The example's words, and by every model its attention (of models without, a line that says so) and translation.
std::string example_section(const Study& study, const Readings& readings, const AlignmentPage& page);

// Each sentence by its two models, side by side; "" if there is none.
std::string disagreement_section(const Study& study, const Readings& readings,
                                 const std::vector<Disagreement>& disagreements, const AlignmentPage& page);

}  // namespace softalign::apps
