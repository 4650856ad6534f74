// This file has the verbs (subcommands) of `softalign VERB`. Each verb starts a program, for example `softalign train`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/cli/manual.h"

namespace softalign::apps {

struct Verb {
  std::string name;   // name of the program: "train"
  std::string about;  // description in a few words
};
const std::vector<Verb>& verbs();
std::string problem_of_verb(const std::string& name);  // returns an error message, or "" if it is a verb

// Returns the path of another program in the folder of the running program. Its name is NAME in a build folder, and
// softalign-NAME in an installation.
std::filesystem::path sibling(const std::string& name);

// Returns the description of `softalign`, from which the completion of its verbs is generated. The completion files of
// the other programs complete their options.
Manual verbs_manual();
std::string generate_for_verbs(const std::string& form);

}  // namespace softalign::apps
