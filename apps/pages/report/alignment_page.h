// The viewer's page that the report links into.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/pages/report/readings.h"

namespace softalign::apps {

// The example and the sentences of greatest disagreement, as every model with attention sees them.
struct AlignmentPage {
  std::string name;                    // of the file, beside the report; "" where no model has attention
  std::string corpus;                  // the file with its sentences, lines of the test set
  std::vector<std::size_t> sentences;  // places in Readings, in the order of the page
  std::vector<std::size_t> models;     // places in Readings, in the order of the page

  // Where the page shows this sentence by model a, and beside it by b, if that is another.
  std::string link(std::size_t sentence, std::size_t a, std::size_t b) const;
};

// Writes OUT/STUDY-sentences.tsv and, by the code of view, OUT/STUDY-alignments.html.
AlignmentPage write_alignment_page(const Study& study, const Readings& readings,
                                   const std::vector<Disagreement>& disagreements, const ReproduceOptions& options);

}  // namespace softalign::apps
