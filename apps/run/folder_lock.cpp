#include "apps/run/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "data/io/files.h"

namespace apps {

namespace {

// Whether the file that is open is the one of that name: its last holder may have removed it in between.
bool is_still_there(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

[[noreturn]] void refuse(const RunFolder& folder) {
  std::string holder = data::read_bytes(folder.lock());
  throw std::runtime_error(
      fmt::format("{}: another program writes to this folder ({}); wait for its end, or name "
                  "another folder",
                  folder.path, holder.empty() ? "it has just begun" : holder));
}

}  // namespace

FolderLock::FolderLock(const RunFolder& folder) : path_(folder.lock()) {
  do {
    if (file_ >= 0) ::close(file_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == ENOENT) return;
    if (file_ < 0) throw std::runtime_error(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file_);
      refuse(folder);
    }
  } while (!is_still_there(file_, path_));
  const std::string holder =
      fmt::format("process {}, since {:%Y-%m-%d %H:%M:%S}", ::getpid(), fmt::localtime(std::time(nullptr)));
  if (::ftruncate(file_, 0) != 0 || data::write_all(file_, holder) != 0) return;  // the lock holds all the same
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());  // before the lock goes: nobody else's file is removed
  ::close(file_);
}

}  // namespace apps
