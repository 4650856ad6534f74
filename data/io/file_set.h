// Files of one folder that belong together: all are written before the first replaces an old one, and a program that is
// killed between two of the renames leaves the others where the next can move them.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

struct NewFile {
  std::string name, bytes;  // of a file in a folder that is new, too: FOLDER/FILE
};

// Writes FOLDER/NAME for each, the folder being made if it is not there; FOLDER of FOLDER/FILE takes the place of an
// old one, of which nothing is left. They wait in FOLDER/.new until all are whole;
// from then on end_file_set() moves what has not been moved. Errors: std::runtime_error, as in files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Whether a program that was killed has left files there that are whole and wait to be moved.
bool file_set_waits(const std::string& folder);

// std::runtime_error if a folder without our mark stands where a set would wait.
void check_file_set(const std::string& folder);

// Ends what a program that was killed began in the folder, or undoes it where not all files were whole.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
