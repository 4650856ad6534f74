// Files: text comes in as checked UTF-8 lines, bytes go out whole or not at all.
// Every function throws Error (data/io/error.h): missing_file or io_error where the system refuses, bad_data for text
// that is not as stated, unsupported_format for what another program has compressed.
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

// Whether there is something of that name. Error: the folder may not be searched.
bool exists(const std::string& path);

// All bytes of a regular file. Errors: it does not exist, is a folder, pipe or device, cannot be read.
std::string read_bytes(const std::string& path);

// The lines of a UTF-8 text file, without their ends (LF or CRLF) and without a byte order mark. The last line may
// lack its end. Blank lines are kept. A file that gzip has compressed, whatever its name, gives the lines of its text.
// Errors: those of read_bytes; the file is empty, or as gzip's cut short or damaged, or compressed in another way; a
// line is not valid UTF-8, holds a NUL byte or a carriage return that is not part of its CRLF, or is longer than
// `longest_line` (`FILE:LINE: ...`).
std::vector<std::string> read_lines(const std::string& path);

// One such line from anywhere else (standard input): the CR of a CRLF, and the byte order mark when number is 1, are
// dropped and the rest is checked. `name` and `number` (1-based) are for the message. `ended`: a LF stood behind the
// line, so that a CR at its end belongs to a CRLF.
std::string clean_line(std::string line, const std::string& name, std::size_t number, bool ended = true);

// Bytes that a line of text may have. A longer one is of a file of another kind, or without line ends.
constexpr std::size_t longest_line = std::size_t{16} << 20;

// Watches text as it comes in, piece by piece, so that text without line ends is not read to the end of the memory.
// `name` is for the message.
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

// The size of the text in a file, compressed as gzip does or not. It is read in blocks, until its end or until
// `enough(size so far)`. A file that cannot be read has no size: whoever reads it says why.
TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough);

// Error (wrong_usage) if this program has read the file of that name, under this name or another: what a program writes
// must not take the place of what it reads. Nothing for an empty name.
void check_not_read(const std::string& path);

// --- writing ---

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

// A last check before a file gets its name: while one lives, every FileWriter calls `check` when its file is whole and
// on disk, just before the file takes the place of an old one. If that throws, the old file stays. One at a time.
class WriteGuard {
 public:
  explicit WriteGuard(std::function<void()> check);
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;

  static void look();  // calls the check of the one that lives, if any
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
