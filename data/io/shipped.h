// These functions find the corpora and grammars that come with the programs. You may use their names, such as data/toy,
// in any folder.
#pragma once

#include <filesystem>
#include <string>

namespace softalign::data {

// Returns the folder of the running program, or "" if the system does not say.
std::filesystem::path program_folder();

// Returns `path` if it exists. If it does not exist and starts with data/, the function searches for it near the
// program: in the project's folder for a build in this folder, and in share/softalign for an installed program. If it
// finds nothing, it returns `path` unchanged.
std::string shipped(const std::string& path);

}  // namespace softalign::data
