// These functions handle files and folders that a program keeps inside its own folder, for example in the folder of a
// run. Such a folder may come from a stranger. Therefore programs never write through a symbolic link in it, and read
// only regular files in it. They delete the content of a folder only if the folder contains the file `.softalign`.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The programs name their temporary files NAME.tmp-softalign-PID-N. No other program uses such names. Therefore a
// program may remove such a file if the process PID has ended. process_of_leftover returns PID, or nothing for other
// names.
inline constexpr std::string_view temporary_mark = ".tmp-softalign-";
std::optional<int> process_of_leftover(std::string_view name);

// Returns true if the path exists. A symbolic link exists even if its target does not.
bool is_there(const std::string& path);

// Throws Error if the path is a symbolic link, or exists and is not a regular file. Programs may not write such a path.
// The message names the file.
void check_own_file(const std::string& path);
// Throws Error if the path of an output folder is a symbolic link, or exists and is not a folder.
void check_own_folder(const std::string& path);

// Calls check_own_file, and then write_file (data/io/files.h).
void write_own_file(const std::string& path, std::string_view bytes);
void write_own_file(const std::string& path, std::span<const std::string_view> pieces);

// Throws Error if the path exists and is neither a regular file nor a link to one. Otherwise a program might read a
// pipe or a device that never ends. The message names the file.
void check_regular(const std::string& path);

// Returns all bytes of a file that the user named on the command line. The file may be a pipe. Throws Error if there
// are more than `most` bytes.
std::string read_named(const std::string& path, std::size_t most);

// Creates a folder that is marked with the file `.softalign`, which no other program writes. The folder and its mark
// appear together, or not at all. Throws Error if the path exists already, or if the folder cannot be created.
void make_marked_folder(const std::string& path);
// Returns true if the path is a folder with the mark (the file `.softalign`), and not a link to such a folder.
bool is_marked_folder(const std::string& path);
// remove_marked_folder removes a folder and its content. remove_mark removes only the mark, the file `.softalign`, and
// also the folder if it is then empty. Both functions do nothing to a folder without the mark.
void remove_marked_folder(const std::string& path);
void remove_mark(const std::string& path);
inline constexpr std::string_view mark_name = ".softalign";

// --- a file set: files of one folder that belong together ---
//
// write_file_set writes all files completely before it replaces the first old file. If a program is killed while it
// renames the files, the next program can finish the work.

struct NewFile {
  std::string name, bytes;  // the name may be FOLDER/FILE in a new folder
};

// Writes FOLDER/NAME for each file, and creates FOLDER if it does not exist. If a name is SUBFOLDER/FILE, the new
// SUBFOLDER replaces the old one completely. The files wait in FOLDER/.new until all of them are complete, and are then
// moved. If the program is killed meanwhile, end_file_set() moves the other files. Throws Error as in files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Returns true if a killed program has left complete files in the folder that still have to be moved.
bool file_set_waits(const std::string& folder);

// Throws Error if the folder FOLDER/.new exists, but does not have the mark of these programs, the file `.softalign`.
void check_file_set(const std::string& folder);

// Completes the work of a killed program in the folder. If some of its files were incomplete, it undoes the work.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
