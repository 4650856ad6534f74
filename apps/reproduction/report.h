// The report of a study: our figures beside the paper's, claim by claim.
#pragma once

#include <string>

#include "apps/reproduction/jobs.h"

namespace softalign::apps {

// "4 of 6 claims of the paper held on the toy corpus, 1 seed."; "" for a study that makes no claim.
std::string summary(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// What attention replaced, a sentence with the AER of EM links for each training corpus; "" if no model of the study
// aligns, or no such links were made.
std::string baseline_text(const Study& study, const Outcomes& outcomes);

// Markdown: the conclusion first, claims with the figures that decide them, the table, the baseline, BLEU against
// length where it was measured, the commands. Of several seeds means, with half their range behind "±".
std::string report_text(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// The outcomes as JSON, one list of seeds an experiment.
std::string report_json(const Study& study, const Outcomes& outcomes);

}  // namespace softalign::apps
