// This file handles files and folders that a program keeps inside its own folder: a run, a synthetic corpus, a study.
// Such a folder may come from a stranger. Therefore programs never write through a symbolic link in it, and read only
// regular files in it. They empty a folder in it only if the folder has the mark of these programs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The programs name their temporary files NAME.tmp-softalign-PID-N. No other program uses such names, so a program may
// remove them after their process has ended. The function returns the process of such a name.
inline constexpr std::string_view temporary_mark = ".tmp-softalign-";
std::optional<int> process_of_leftover(std::string_view name);

// Returns whether the path exists. A symbolic link counts, even if its target does not exist.
bool is_there(const std::string& path);

// Throws Error if the path exists but programs may not write it, because it is a symbolic link or no regular file. The
// message names the file.
void check_own_file(const std::string& path);
// Checks an output folder in the same way: if it exists, it must be a folder and no symbolic link.
void check_own_folder(const std::string& path);

// Calls check_own_file, then write_file (data/io/files.h).
void write_own_file(const std::string& path, std::string_view bytes);
void write_own_file(const std::string& path, std::span<const std::string_view> pieces);

// Throws Error if the path exists and is neither a regular file nor a link to one, because reading a pipe or a device
// may never end. The message names the file.
void check_regular(const std::string& path);

// Returns all bytes of a file that the command line names. The file may be a pipe. Throws Error if there are more than
// `most` bytes.
std::string read_named(const std::string& path, std::size_t most);

// Creates a folder with the file `.softalign` in it, which no other program writes. The folder appears with its mark or
// not at all. Throws Error if the name exists already, or if the folder cannot be created.
void make_marked_folder(const std::string& path);
// Returns whether the path is a folder with the mark, and no link to one.
bool is_marked_folder(const std::string& path);
// Removes such a folder with its content. If it contains other files, it removes only the mark. It does not change
// other folders.
void remove_marked_folder(const std::string& path);
void remove_mark(const std::string& path);
inline constexpr std::string_view mark_name = ".softalign";

// --- a file set: files of one folder that belong together ---
//
// write_file_set writes all files before the first one replaces an old file. If a program is killed between two
// renames, the next program can move the others.

struct NewFile {
  std::string name, bytes;  // the name may be FOLDER/FILE in a new folder
};

// Writes FOLDER/NAME for each file, and creates the folder if it does not exist. The FOLDER of a name FOLDER/FILE
// replaces an old folder completely. The files wait in FOLDER/.new until all are complete. From then on, end_file_set()
// moves the files that are still there. Throws Error, as in files.h.
void write_file_set(const std::string& folder, const std::vector<NewFile>& files);

// Returns whether a killed program has left complete files there that still have to be moved.
bool file_set_waits(const std::string& folder);

// Throws Error if the folder for waiting files exists without the mark.
void check_file_set(const std::string& folder);

// Completes the work of a killed program in the folder, or undoes it if not all files were complete.
void end_file_set(const std::string& folder);

}  // namespace softalign::data
