// The report of a study compares our figures with the figures of the paper, claim by claim.
#pragma once

#include <string>

#include "apps/reproduction/jobs.h"

namespace softalign::apps {

// "4 of 6 claims of the paper held on the toy corpus, 1 seed."; "" for a study that makes no claim.
std::string summary(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// A sentence with the AER of EM links for each training corpus, as the baseline without attention; "" if no model of
// the study aligns, or there are no such links.
std::string baseline_text(const Study& study, const Outcomes& outcomes);

// Markdown: first the conclusion, then claims with the figures that decide them, the table, the baseline, BLEU by
// length if it was measured, and the commands. With several seeds, it shows means, with half their range after "±".
std::string report_text(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// The outcomes as JSON, one list of seeds an experiment.
std::string report_json(const Study& study, const Outcomes& outcomes);

}  // namespace softalign::apps
