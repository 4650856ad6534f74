// This file has the verbs (subcommands) of the program `softalign`. Each verb starts a program, for example `softalign
// train`.
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

// Returns the path of the program `name` in the folder of the running program. The file is called NAME in a build
// folder, and softalign-NAME in an installation.
std::filesystem::path sibling(const std::string& name);

// verbs_manual returns the description of `softalign` for --help and the manual page. generate_for_verbs returns the
// manual page, or the file with which a shell (bash, zsh or fish) completes the verb after `softalign`. The options
// after the verb are in the completion file of its program.
Manual verbs_manual();
std::string generate_for_verbs(const std::string& form);

}  // namespace softalign::apps
