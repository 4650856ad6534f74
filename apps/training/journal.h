// A JSON lines file that grows while a training runs. Its length at each saved training state is recorded there, so
// that a resumed training can take back the lines that were written after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace softalign::apps {

class Journal {
 public:
  // Creates the file, or cuts an existing one to `length` bytes. std::runtime_error if it is shorter than that or
  // cannot be written.
  explicit Journal(std::string path, std::int64_t length = 0);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void append(const std::string& line);  // without its end
  // Forces the lines to disk and returns the file's length.
  std::int64_t sync();

 private:
  std::string path_;
  int file_;
  std::int64_t length_;
};

// The lines within the first `bytes` of such a file, but for one that has no end yet. None if there is no such file.
std::vector<std::string> read_journal(const std::string& path,
                                      std::size_t bytes = std::numeric_limits<std::size_t>::max());

}  // namespace softalign::apps
