// This file writes the report of a study. For each claim of a paper, the report compares our results with the results
// of the paper.
#pragma once

#include <string>

#include "apps/reproduction/jobs.h"

namespace softalign::apps {

// Returns, for example, "4 of 6 claims of the paper held on the toy corpus, 1 seed." Returns "" for a study without
// claims.
std::string summary(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options);

// Returns a sentence with the alignment error rate (AER) of EM links for each training corpus. EM is the baseline
// without attention. Returns "" if no model of the study aligns, or if there are no such links.
std::string baseline_text(const Study& study, const RunOutcomes& outcomes);

// Returns the report in Markdown. It begins with the conclusion, the claims, and the numbers that confirm or refute
// them. Then it has the table, the baseline, BLEU for each source length if the study measures it, and the commands.
// With several seeds, each number is the mean over the seeds. Half of the range over the seeds follows after "±".
std::string report_text(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options);

// Returns the outcomes as JSON. Each experiment has a list with one entry per seed.
std::string report_json(const Study& study, const RunOutcomes& outcomes);

}  // namespace softalign::apps
