// softalign VERB: the programs by one name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/cli/manual.h"

namespace softalign::apps {

struct Verb {
  std::string name;   // of the program, "train"
  std::string about;  // in a few words
};
const std::vector<Verb>& verbs();
std::string problem_of_verb(const std::string& name);  // "" for one of them

// The path of another program next to the running one: NAME in a build folder, softalign-NAME in an installation.
std::filesystem::path sibling(const std::string& name);

// The description of `softalign`, and the completion of its verbs. The files of the other programs complete their
// options.
Manual verbs_manual();
std::string generate_for_verbs(const std::string& form);

}  // namespace softalign::apps
