#include "apps/training/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
}

}  // namespace

Journal::Journal(std::string path, std::int64_t length)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)),
      length_(length) {
  if (file_ < 0) {
    const int error = errno;
    data::check_own_file(path_);
    errno = error;
    fail(path_);
  }
  struct stat info {};
  if (::fstat(file_, &info) == 0 && !S_ISREG(info.st_mode)) {
    ::close(file_);
    data::check_own_file(path_);
  }
  if (::fstat(file_, &info) != 0 || info.st_size < length || ::ftruncate(file_, length) != 0 ||
      ::lseek(file_, length, SEEK_SET) < 0) {
    const bool too_short = info.st_size < length;
    ::close(file_);
    if (!too_short) fail(path_);
    throw std::runtime_error(
        fmt::format("{} has {} bytes, but had {} when the training state was saved: it was changed "
                    "since, so the training cannot be resumed",
                    path_, info.st_size, length));
  }
}

Journal::~Journal() { ::close(file_); }

void Journal::append(const std::string& line) {
  const std::string bytes = line + "\n";
  if (const int error = data::write_all(file_, bytes); error != 0) {
    throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(error)));
  }
  length_ += static_cast<std::int64_t>(bytes.size());
}

std::int64_t Journal::sync() {
  if (::fsync(file_) != 0) fail(path_);
  return length_;
}

std::vector<std::string> read_journal(const std::string& path, std::size_t bytes) {
  if (!data::exists(path)) return {};
  data::check_regular(path);
  const std::string text = data::read_bytes(path).substr(0, bytes);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

}  // namespace softalign::apps
