// These functions handle files and folders that a program keeps inside its own folder, for example in the folder of a
// run. Such a folder may come from a stranger. Therefore programs never write through a symbolic link in it. They read
// a file only if it is a regular file. They delete the content of a folder only if the folder contains the file
// `.softalign`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace softalign::data {

// Returns true if the path exists. A symbolic link exists even if its target does not.
bool is_there(const std::string& path);

// Throws Error if the path is a symbolic link, or exists and is not a regular file. Programs must not write to such a
// path. The message names the file.
void check_own_file(const std::string& path);
// Throws Error if the path of an output folder is a symbolic link, or exists and is not a folder.
void check_own_folder(const std::string& path);

// Calls check_own_file, and then write_file (data/io/files.h).
void write_own_file(const std::string& path, std::string_view bytes);
void write_own_file(const std::string& path, std::span<const std::string_view> pieces);

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

}  // namespace softalign::data
