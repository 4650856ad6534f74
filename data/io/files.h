// Files: text is read as checked UTF-8 lines, and bytes are written completely or not at all. Every function throws
// Error (data/io/error.h): missing_file or io_error if the system refuses, bad_data for text that breaks the rules, and
// unsupported_format for other kinds of compression.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace softalign::data {

// --- reading ---

// Whether the path exists. Error: the folder may not be searched.
bool exists(const std::string& path);

// All bytes of a regular file. Errors: it does not exist, is a folder, pipe or device, cannot be read.
std::string read_bytes(const std::string& path);

// The lines of a UTF-8 text file, without their ends (LF or CRLF) and without a byte order mark. The last line may
// lack its end. Blank lines are kept. A file that gzip has compressed, whatever its name, gives the lines of its text.
// Errors: those of read_bytes; the file is empty, or as gzip's cut short or damaged, or compressed in another way; a
// line is not valid UTF-8, holds a NUL byte or a carriage return that is not part of its CRLF, or is longer than
// `longest_line` (`FILE:LINE: ...`).
std::vector<std::string> read_lines(const std::string& path);

// Checks one such line from another source (standard input). It removes the CR of a CRLF, and the byte order mark if
// number is 1. `name` and `number` (1-based) are for the message. `ended` says that a LF followed the line, so a CR at
// its end belongs to a CRLF.
std::string clean_line(std::string line, const std::string& name, std::size_t number, bool ended = true);

// The most bytes of a line of text. A longer line belongs to another kind of file, or the file has no line ends.
constexpr std::size_t longest_line = std::size_t{16} << 20;

// Checks text while it is read, so that text without line ends cannot fill the memory. `name` is for the message.
class LineLimit {
 public:
  explicit LineLimit(std::string name) : name_(std::move(name)) {}
  void add(std::string_view bytes);  // bad_data ("NAME:LINE: ...") as soon as a line is too long

 private:
  std::string name_;
  std::size_t number_ = 1, length_ = 0;  // of the line that has not ended
};

// How large a text is, before it is read into memory.
struct TextSize {
  double bytes = 0, lines = 0, words = 0;  // of what was compressed; words stand between spaces, tabs and line ends
};

// The size of the text in a file, compressed by gzip or not. The file is read in blocks, until its end or until
// `enough(size so far)`. A file that cannot be read has no size; the code that reads it reports the error.
TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough);

// Error (wrong_usage) if this program has read that file, under this name or another, because a program must not
// overwrite its input. It does nothing for an empty name.
void check_not_read(const std::string& path);

// --- writing ---

// Calls write(2) until all bytes are written. Returns 0 or the errno.
int write_all(int fd, std::string_view bytes);

// Writes a file in pieces, and a reader sees either the old file or the complete new one. The bytes go to a temporary
// file in the same folder. finish() forces them to disk and renames the temporary file to `path`. If anything fails, or
// finish() is never called, the temporary file is removed and the old file stays. An existing file keeps its
// permissions. A symbolic link is followed. A pipe, a device or an open file (/dev/stdout, /dev/fd/N) is written
// directly.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter();

  void write(std::string_view bytes);
  void finish();

 private:
  [[noreturn]] void stop(int error);
  std::string path_, target_, temporary_;  // the last is empty where there is none
  int fd_ = -1;
};

// A last check before a file gets its name. While an object exists, every FileWriter calls `check` after its file is
// complete and on disk, and before it replaces the old file. If `check` throws, the old file stays. Only one object may
// exist at a time.
class WriteGuard {
 public:
  explicit WriteGuard(std::function<void()> check);
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;

  static void look();  // calls the check of the one that lives, if any
};

// Removes temporary files of killed programs from a folder: all, or those of one file name. Every FileWriter does this
// for its own file.
void remove_leftovers(const std::string& folder, std::string_view name = "");

// Writes such a file from all its bytes at once, or from several pieces, one after the other.
void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, std::span<const std::string_view> pieces);

// For thousands of files in a folder that is renamed later. Each file is created directly, and sync_all forces all of
// the folder's file system to disk at once.
void write_new_file(const std::string& path, std::string_view bytes);
void sync_all(const std::string& folder);

}  // namespace softalign::data
