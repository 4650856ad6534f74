// What makes translating faster and may change a word: --int8 and --shortlist.
#pragma once

#include <optional>
#include <string>

#include "apps/cli/common_options.h"
#include "apps/run/run_folder.h"
#include "models/search/shortlist.h"

namespace softalign::apps {

struct Faster {
  bool int8 = false;
  std::string table;                           // a file of links --table
  std::optional<models::Shortlist> shortlist;  // made from it
};
void declare(CommandLine& line, Faster& faster);
// Reads the shortlist and brings the integers into force, if they are asked for. std::runtime_error: a language model
// is to have a shortlist; the file, as read_shortlist has it (apps/decoding/shortlist.h).
void prepare(Faster& faster, const Run& run);

}  // namespace softalign::apps
