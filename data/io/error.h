// Errors have a kind, so that a caller can distinguish them. Functions that read or write files, data and
// configurations throw Error:
//
//   try {
//     checkpoint = models::load_checkpoint(path);
//   } catch (const data::Error& error) {
//     if (error.kind() != data::ErrorKind::missing_file) throw;
//     train_first();
//   }
//
// A programming error has no kind. For example, autograd and layers throw std::invalid_argument for shapes that do not
// fit. They throw std::bad_alloc if there is not enough memory for an array.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace softalign::data {

enum class ErrorKind {
  bad_data,            // a text, a line of a corpus or a value of a configuration is not what is expected
  wrong_usage,         // the options do not fit together, or do not fit the run or model
  missing_file,        // there is no file or folder of that name
  damaged_file,        // a file is cut short or was changed, or it contradicts another file of its run
  unsupported_format,  // the file may be complete, but this build cannot read its format or version
  io_error,            // the system refuses: no permission, a full disk, a folder instead of a file, a lock
  out_of_memory,       // the work needs more memory than the process may take
};

// An Error names the file (and the line), says what is wrong, and says what to try.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// Returns the kind of error for an errno that the system returned when a file could not be opened, read or written.
ErrorKind kind_of_errno(int error);

// Returns the kind of an exception, for code that throws it again with another message. An Error keeps its kind. Errors
// of std::filesystem and std::bad_alloc have their own kinds. All other exceptions get the kind `other`.
ErrorKind kind_of(const std::exception& error, ErrorKind other = ErrorKind::bad_data);

}  // namespace softalign::data
