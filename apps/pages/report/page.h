// The report of a study as a page: static, one file, no script.
#pragma once

#include <string>

#include "apps/pages/report/alignment_page.h"
#include "apps/pages/report/readings.h"
#include "apps/reproduction/study.h"

namespace softalign::apps {

// All that a report tells of.
struct Report {
  const Study& study;
  const Outcomes& outcomes;
  const ReproduceOptions& options;
  Readings readings;
  std::vector<Disagreement> disagreements;
  AlignmentPage alignments;
};

// HTML. Its content security policy lets it fetch nothing, run nothing and style with nothing but its own style.
std::string report_page(const Report& report);

// Writes OUT/STUDY.html and the viewer's page that it links into; the names of both, or of the first.
std::vector<std::string> write_report_pages(const Study& study, const Outcomes& outcomes,
                                            const ReproduceOptions& options);

}  // namespace softalign::apps
