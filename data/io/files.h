// These functions read text files as UTF-8 lines, and write complete files or nothing. They throw Error
// (data/io/error.h). Its kind is missing_file or io_error if the system cannot open, read or write a file. It is
// bad_data for text that is not a correct text file (read_lines), and unsupported_format for other kinds of compression
// than gzip.
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

// Returns the path as an error message shows it. `error` is the errno of the system. If `error` says that the path is
// too long, the function shortens the path.
std::string shown_path(const std::string& path, int error);

// Returns true if the path exists. Throws Error if the program has no permission to search the folder.
bool exists(const std::string& path);

// Returns all bytes of a regular file. Throws Error if the file does not exist, is a folder, pipe or device, or cannot
// be read.
std::string read_bytes(const std::string& path);

// Returns the lines of a UTF-8 text file, without line ends (LF or CRLF) and without a byte order mark. The last line
// may have no line end. Blank lines are kept. If the file is compressed by gzip, the function decompresses it.
//
// Throws Error like read_bytes. Also throws Error if the file is empty, if its gzip data are cut short or damaged, or
// if it is compressed in another way. A line causes an Error (`FILE:LINE: ...`) if it is not valid UTF-8, if it
// contains a NUL byte or a single carriage return, or if it is longer than `longest_line`.
std::vector<std::string> read_lines(const std::string& path);

// Checks one line from another source, for example from standard input. It removes the CR of a CRLF. In line 1, it also
// removes the byte order mark. `ended` says that a LF followed the line, so a CR at the end belongs to a CRLF. `name`
// and `number` (from 1) are for messages.
std::string clean_line(std::string line, const std::string& name, std::size_t number, bool ended = true);

// Throws Error if a file or another source is known not to be text, for example a picture or a model. `bytes` are its
// first bytes, and `name` is its name in the message, which says what the file is and what to do.
void check_is_text(std::string_view bytes, const std::string& name);

// A TextSize says how large a text is, before a program reads it into memory.
struct TextSize {
  double bytes = 0, lines = 0, words = 0;  // size of the uncompressed text; spaces, tabs and line ends separate words
};

// Returns the size of the text in a file, which may be compressed by gzip. It reads the file in blocks, until its end
// or until `enough(size so far)` is true. If the file cannot be read, the size is 0, and the code that reads the file
// later reports the error.
TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough);

// --- writing ---

// Calls write(2) until all bytes are written. Returns 0 or the errno.
int write_all(int fd, std::string_view bytes);

// A FileWriter writes a file in pieces. Another program sees either the old file or the complete new file. The bytes go
// to a temporary file in the same folder. finish() forces them to disk and gives the temporary file the name `path`. If
// anything fails, or if finish() is never called, the temporary file is removed and the old file stays.
//
// An existing file keeps its permissions. FileWriter follows a symbolic link. It writes directly to a pipe, a device or
// an open file (/dev/stdout, /dev/fd/N).
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
  std::string path_, target_, temporary_;  // temporary_ is empty if there is none
  int fd_ = -1;
};

// An OutputFile is a FileWriter for a file that the user names. The constructor throws Error (wrong_usage) if this
// program has read the same file, under this name or another, because a program must not overwrite its input.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  void write(std::string_view bytes) { writer_.write(bytes); }
  void finish() { writer_.finish(); }
  void write_all(std::string_view bytes) { write(bytes), finish(); }

 private:
  FileWriter writer_;
};

// A WriteGuard adds a last check to all writing of files. While the object exists, every FileWriter calls `check` when
// its file is complete and on disk, and before it replaces the old file. If `check` throws, the old file stays. Only
// one WriteGuard may exist at a time.
class WriteGuard {
 public:
  explicit WriteGuard(std::function<void()> check);
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;

  static void check_now();  // calls the check of the existing object, if there is one
};

// Removes temporary files that killed programs have left in a folder. If `name` is not empty, it removes only the
// temporary files of the file `name`. Every FileWriter does this for its own file.
void remove_leftovers(const std::string& folder, std::string_view name = "");

// Writes a file in the same way as FileWriter. The caller passes all bytes at once, or several pieces in their order.
void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, std::span<const std::string_view> pieces);

// write_new_file and sync_all write thousands of files to a new folder, which is renamed when it is complete.
// write_new_file creates a file directly, without a temporary file. sync_all forces all files of the folder's file
// system to disk at once.
void write_new_file(const std::string& path, std::string_view bytes);
void sync_all(const std::string& folder);

}  // namespace softalign::data
