// This file has the verbs of `softalign VERB`, which starts any of the programs.
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

// Returns the path of another program that is next to the running program. Its name is NAME in a build folder, and
// softalign-NAME in an installation.
std::filesystem::path sibling(const std::string& name);

// Returns the description of `softalign`, from which the completion of its verbs is generated. The completion files of
// the other programs complete their options.
Manual verbs_manual();
std::string generate_for_verbs(const std::string& form);

}  // namespace softalign::apps
