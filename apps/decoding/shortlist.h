// The words that --shortlist leaves to each source (models/search/shortlist.h), from the table of translations that
// links learns.
#pragma once

#include <string>

#include "apps/run/run_folder.h"
#include "models/search/shortlist.h"

namespace softalign::apps {

// From a file of `links --table`: the `frequent` first words of the run's target vocabulary, what comes from no word,
// and for each source word the `likely` most probable ones. Where the run cuts words into pieces each piece of a word
// gets the pieces of its translations, those that most of them share first. std::runtime_error: the file as
// data::read_table has it; no row of it has words of both vocabularies.
models::Shortlist read_shortlist(const std::string& path, const Run& run, std::size_t frequent = 100,
                                 std::size_t likely = 100);

}  // namespace softalign::apps
