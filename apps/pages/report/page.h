// The report of a study as a page: static, one file, no script.
#pragma once

#include <string>

#include "apps/pages/report/sentences.h"
#include "apps/reproduction/report.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// The conclusion at the top of the page: how many of the paper's claims hold, which models are best, and each claim
// with the figures that decide it.
std::string conclusion(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// A claim with its verdict and the figures that decide it, as an item of a list.
std::string claim_line(const std::string& claim, const Verdict& verdict);

// The origin of the report's figures: commands, seeds, versions, machine, corpus.
std::string origin(const Study& study, const AlignmentPage& alignments, const ReproduceOptions& options);

// The complete content of a report.
struct Report {
  const Study& study;
  const Outcomes& outcomes;
  const ReproduceOptions& options;
  TestSetAlignments readings;
  std::vector<Disagreement> disagreements;
  AlignmentPage alignments;
};

// The page as HTML. Its content security policy forbids fetching and scripts, and allows only its own style.
std::string report_page(const Report& report);

// Writes OUT/STUDY.html and the viewer's page that it links to. Returns both names, or only the first.
std::vector<std::string> write_report_pages(const Study& study, const Outcomes& outcomes,
                                            const ReproduceOptions& options);

}  // namespace softalign::apps
