// A file set is several files of one folder that belong together. write_file_set writes all files completely before it
// replaces the first old file. If a program is killed while it renames the files, the next program that writes to the
// folder renames the remaining ones.
#pragma once

#include <string>
#include <vector>

namespace softalign::data {

struct NewFile {
  std::string name, bytes;  // the name may be FOLDER/FILE in a new folder
};

// Writes FOLDER/NAME for each file, and creates FOLDER if it does not exist. If a name is SUBFOLDER/FILE, the new
// SUBFOLDER replaces the old one completely. The files are first written to FOLDER/.new.part. When all of them are
// complete, this folder becomes FOLDER/.new, and the files are moved from there. If the program is killed while it
// moves the files, end_file_set() moves the remaining ones. Throws Error as in files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Returns true if a killed program has left complete files in the folder that still have to be moved.
bool file_set_waits(const std::string& folder);

// Throws Error if FOLDER/.new or FOLDER/.new.part exists, but does not contain the file `.softalign`, the mark of a
// folder that softalign made.
void check_file_set(const std::string& folder);

// Completes the work of a killed program in the folder. If the program had completed all files of the set, the function
// moves the remaining ones. Otherwise it removes the new files, and the old ones stay.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
