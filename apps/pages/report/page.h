// This file makes the report of a study as a static web page. The page is one file without a script.
#pragma once

#include <string>

#include "apps/pages/report/sentences.h"
#include "apps/reproduction/report.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// Returns the conclusion at the top of the page. It says how many of the paper's claims were confirmed and which models
// are best. It then lists each claim with the numbers that confirm or refute it.
std::string conclusion(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options);

// Returns a list item with a claim, its verdict (confirmed or not), and the numbers behind the verdict.
std::string claim_line(const std::string& claim, const Verdict& verdict);

// Returns a section that says where the numbers of the report come from: commands, seeds, versions, machine and corpus.
std::string origin(const Study& study, const AlignmentPage& alignments, const ReproduceOptions& options);

// Report has everything that the page of a study shows.
struct Report {
  const Study& study;
  const RunOutcomes& outcomes;
  const ReproduceOptions& options;
  TestSetAlignments readings;
  std::vector<Disagreement> disagreements;
  AlignmentPage alignments;
};

// Returns the page as HTML. Its content security policy forbids scripts and loading of files, and allows only the style
// in the page.
std::string report_page(const Report& report);

// Writes OUT/STUDY.html and, if there are alignments, the viewer's page that it links to. Returns the names of the
// files.
std::vector<std::string> write_report_pages(const Study& study, const RunOutcomes& outcomes,
                                            const ReproduceOptions& options);

}  // namespace softalign::apps
