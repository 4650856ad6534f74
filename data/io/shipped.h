// The corpora and grammars that come with the programs. You name them as in the project's folder, and they are found
// from any folder.
#pragma once

#include <filesystem>
#include <string>

namespace softalign::data {

// The folder of the running program; "" if the system does not say.
std::filesystem::path program_folder();

// Returns `path` if it exists. If it starts with data/, it is searched next to the program: in the project for a build
// in its folder, and in share/softalign for an installed program. Otherwise, `path` is returned unchanged.
std::string shipped(const std::string& path);

}  // namespace softalign::data
