// A file set is several files of one folder that belong together. write_file_set writes all files completely before it
// replaces the first old file. If a program is killed while it renames the files, the next program can finish the work.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

struct NewFile {
  std::string name, bytes;  // the name may be FOLDER/FILE in a new folder
};

// Writes FOLDER/NAME for each file, and creates FOLDER if it does not exist. If a name is SUBFOLDER/FILE, the new
// SUBFOLDER replaces the old one completely. The files wait in FOLDER/.new until all of them are complete, and are then
// moved. If the program is killed while it moves the files, end_file_set() moves the remaining ones. Throws Error as in
// files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Returns true if a killed program has left complete files in the folder that still have to be moved.
bool file_set_waits(const std::string& folder);

// Throws Error if the folder FOLDER/.new exists, but does not have the mark of these programs, the file `.softalign`.
void check_file_set(const std::string& folder);

// Completes the work of a killed program in the folder. If some of its files were incomplete, it undoes the work.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
