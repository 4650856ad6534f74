// This file finds the corpora and grammars that come with the programs. You name them as in the project's folder, and
// the programs find them from any folder.
#pragma once

#include <filesystem>
#include <string>

namespace softalign::data {

// Returns the folder of the running program, or "" if the system does not say.
std::filesystem::path program_folder();

// Returns `path` if it exists. If it starts with data/, the function searches for it next to the program. For a build
// in the project's folder, this is the project; for an installed program, it is share/softalign. Otherwise, it returns
// `path` unchanged.
std::string shipped(const std::string& path);

}  // namespace softalign::data
