// Truecasing, --case: the capitals of a translation, which a run that learnt from lower-cased text writes without.
#pragma once

#include <string>

#include "apps/cli/common_options.h"
#include "apps/run/run_text.h"

namespace softalign::apps {

// Declares --case none|source|table.
void declare_case(CommandLine& line, std::string& how);

// data::Error: the run keeps capitals by itself, has no table, or no attention to find the source words by.
void check_case(const Run& run, const std::string& how);

// The translation's words as they are written: as the model wrote them, or with capitals from the source words that it
// looked at, or from the table of the training text (data/text/truecasing.h).
data::Tokens written(const Run& run, const SourceText& source, const data::Record& record, const std::string& how);

}  // namespace softalign::apps
