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

// A program that stands beside the running one: NAME in a build folder, softalign-NAME where they are installed.
std::filesystem::path sibling(const std::string& name);

// What softalign says of itself, and what shells complete its verbs by; their options are completed by the programs'
// own files, beside this one.
Manual verbs_manual();
std::string generate_for_verbs(const std::string& form);

}  // namespace softalign::apps
