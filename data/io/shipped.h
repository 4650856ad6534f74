// What comes with the programs: corpora and grammars, named as in the project's folder, and found from any other.
#pragma once

#include <filesystem>
#include <string>

namespace softalign::data {

// Where the running program lies; "" where the system does not say.
std::filesystem::path program_folder();

// `path`, if something is there. Else, of a path that begins with data/, what lies there beside the program: in the
// project for a build in its folder, in share/softalign where it is installed. `path` again if neither does.
std::string shipped(const std::string& path);

}  // namespace softalign::data
