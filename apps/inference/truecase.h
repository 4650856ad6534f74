// Truecasing (--case) restores the capitals of a translation. A model needs it if its training text was lower-cased,
// because such a model writes no capitals.
#pragma once

#include <string>

#include "apps/cli/common_options.h"
#include "apps/run/run_text.h"
#include "autograd/names.h"

namespace softalign::apps {

// Capitals says where --case finds the capitals of a translation.
enum class Capitals { none, source, table };
constexpr auto names_of(Capitals) {
  return autograd::names<Capitals>(
      {{"none", Capitals::none}, {"source", Capitals::source}, {"table", Capitals::table}});
}
void declare_case(CommandLine& line, Capitals& how);

// Throws data::Error if the model of the run writes capitals itself, because then --case has no effect. Also throws it
// if the run lacks the table or the attention that this way of truecasing needs.
void check_case(const LoadedRun& run, Capitals how);

// Returns the words of a translation with their final case. With `none`, the words stay as the model wrote them. With
// `source`, each word gets the capitals of the source word to which the model attended. With `table`, each word gets
// the form in which the training text has it most often (data/text/truecasing.h).
data::Tokens written(const LoadedRun& run, const SourceText& source, const data::Record& record, Capitals how);

}  // namespace softalign::apps
