// These functions distinguish regular files from folders, links, pipes and devices.
#pragma once

#include <sys/types.h>

#include <string>

namespace softalign::data {

// Returns words for the kind of a file, which a message can use, for example "a named pipe".
const char* kind_of_file(mode_t mode);

// Throws Error if the path exists and is neither a regular file nor a link to one. Otherwise a program might read a
// pipe or a device that never ends. The message names the file.
void check_regular(const std::string& path);

}  // namespace softalign::data
