// Whether what stands in a folder was drawn by make_corpus, so that it may draw anew in its place.
#pragma once

#include <string>

#include "data/synthetic/synthetic.h"

namespace softalign::data {

// Why FILE is no pairs with gold as format_tsv writes them; "" if it is, or is not there.
std::string problem_of_earlier_pairs(const std::string& file);

// Why FOLDER/NAME.tsv and what belongs to it, NAME-pictures and the file `task`, are none that files_of makes of this
// corpus: another task, a line without gold, pictures of other names or not as many as lines. "" if they are,
// or are not there under a file `task` that fits.
std::string problem_of_earlier_output(const std::string& folder, const std::string& name,
                                      const SyntheticCorpus& corpus);

}  // namespace softalign::data
