// Files: text comes in as checked UTF-8 lines, bytes go out whole or not at all.
// Every function throws std::runtime_error whose message names the file (and line), what is wrong and what to try.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// Whether there is something of that name. Error: that cannot be told, as in a folder that may not be searched.
bool exists(const std::string& path);

// All bytes of a regular file. Errors: it does not exist, is a folder, pipe or device, cannot be read.
std::string read_bytes(const std::string& path);

// The lines of a UTF-8 text file, without their ends (LF or CRLF) and without a byte order mark. The last line may
// lack its end. Blank lines are kept. A file that gzip has compressed, whatever its name, gives the lines of its text.
// Errors: those of read_bytes; the file is empty, or as gzip's cut short or damaged, or compressed in another way; a
// line is not valid UTF-8, holds a NUL byte or a carriage return that is not part of its CRLF, or is longer than a line
// may be (`FILE:LINE: ...`; data/io/line_limit.h).
std::vector<std::string> read_lines(const std::string& path);

// One such line from anywhere else (standard input): the CR of a CRLF, and the byte order mark when number is 1, are
// dropped and the rest is checked. `name` and `number` (1-based) are for the message. `ended`: a LF stood behind the
// line, so that a CR at its end belongs to a CRLF.
std::string clean_line(std::string line, const std::string& name, size_t number, bool ended = true);

// write(2), which may write less than it was given, until all is written: 0, or what errno then is.
int write_all(int fd, std::string_view bytes);

// A file written piece by piece, of which a reader sees the old one or the whole new one, whatever happens in between:
// the bytes go to a temporary file in the same folder; finish() forces them to disk and renames the temporary to
// `path`. If anything fails, or finish() is never called, the temporary is removed and the old file stands. An existing
// file keeps its permissions; a symbolic link is followed; a pipe or a device, and what is open already (/dev/stdout,
// /dev/fd/N), is written to at once.
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

// Removes the temporaries that programs which were killed while they wrote have left in a folder: all, or those of the
// file of that name, as every FileWriter does for its own.
void remove_leftovers(const std::string& folder, std::string_view name = "");

// Such a file from all its bytes at once, or from bytes that lie in several places: the pieces one after the other.
void write_file(const std::string& path, std::string_view bytes);
void write_file(const std::string& path, std::span<const std::string_view> pieces);

// For thousands of files in a folder that nobody reads before it is renamed: each is created where it stands, and
// sync_all forces what has been written to the folder's file system to disk, at once.
void write_new_file(const std::string& path, std::string_view bytes);
void sync_all(const std::string& folder);

}  // namespace softalign::data
