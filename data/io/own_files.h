// Files and folders that a program keeps inside a folder of its own: a run, a synthetic corpus, a study. Such a folder
// may come from a stranger. Therefore programs never write through a symbolic link in it, read only regular files in
// it, and empty a folder in it only if the folder has our mark.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The temporary files of our programs are named NAME.tmp-softalign-PID-N. No other program uses such names, so they may
// be removed after their process has ended. Returns the process of such a name.
inline constexpr std::string_view temporary_mark = ".tmp-softalign-";
std::optional<int> process_of_leftover(std::string_view name);

// Whether the path exists; a symbolic link counts, even if its target does not exist.
bool is_there(const std::string& path);

// Error, with the file, if the path exists and may not be written, because it is a symbolic link or no regular file.
void check_own_file(const std::string& path);
// The same for an output folder: if it exists, it must be a folder and no symbolic link.
void check_own_folder(const std::string& path);

// write_file (data/io/files.h) after check_own_file.
void write_own_file(const std::string& path, std::string_view bytes);
void write_own_file(const std::string& path, std::span<const std::string_view> pieces);

// Error, with the file, if the path exists and is neither a regular file nor a link to one, because reading a pipe or a
// device may never end.
void check_regular(const std::string& path);

// All bytes of a file that the command line names, which may be a pipe. Error if there are more than
// `most`.
std::string read_named(const std::string& path, std::size_t most);

// Creates a folder with the file `.softalign` in it, which no other program writes. The folder appears with its mark or
// not at all. Error if the name exists already, or the folder cannot be created.
void make_marked_folder(const std::string& path);
// A folder, no link to one, that has the mark.
bool is_marked_folder(const std::string& path);
// Removes such a folder with its content. If it contains other files, only the mark is removed. Other folders are
// unchanged.
void remove_marked_folder(const std::string& path);
void remove_mark(const std::string& path);
inline constexpr std::string_view mark_name = ".softalign";

// --- a file set: files of one folder that belong together ---
//
// All are written before the first one replaces an old file. If a program is killed between two renames, the next
// program can move the others.

struct NewFile {
  std::string name, bytes;  // of a file in a folder that is new, too: FOLDER/FILE
};

// Writes FOLDER/NAME for each, the folder being made if it is not there; FOLDER of FOLDER/FILE replaces an old
// folder completely. They wait in FOLDER/.new until all are whole;
// from then on end_file_set() moves what has not been moved. Errors: Error, as in files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Whether a killed program has left complete files there that still have to be moved.
bool file_set_waits(const std::string& folder);

// Error if the folder for waiting files exists without our mark.
void check_file_set(const std::string& folder);

// Completes the work of a killed program in the folder, or undoes it if not all files were complete.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
