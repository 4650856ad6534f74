// Where the report's figures come from: commands, seeds, versions, machine, corpus.
#pragma once

#include <string>

#include "apps/pages/report/alignment_page.h"

namespace softalign::apps {

std::string origin(const Study& study, const AlignmentPage& alignments, const ReproduceOptions& options);

}  // namespace softalign::apps
