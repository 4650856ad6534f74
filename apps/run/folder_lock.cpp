#include "apps/run/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

constexpr std::string_view mark = "process ";  // what the text of a lock begins with

// Whether the file that is open is the one of that name: its last holder may have removed it in between.
bool is_still_there(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// "process 17, since 2026-01-31 12:00:00"; nothing of what is no lock of ours.
std::string holder_in(int file) {
  struct stat info {};
  char text[100];
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return "";
  const ssize_t size = ::pread(file, text, sizeof text, 0);
  const std::string_view holder(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  const bool ours = info.st_size < static_cast<off_t>(sizeof text) && holder.starts_with(mark) &&
                    holder.find(", since ") != std::string_view::npos;
  return ours ? std::string(holder) : "";
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

// The lock that is there, open; -1 where none is. std::runtime_error if it is none of ours.
int open_there(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return -1;
  if (file < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR) fail(path, errno);
  if (file >= 0 && !holder_in(file).empty()) return file;
  if (file >= 0) ::close(file);
  throw std::runtime_error(
      fmt::format("{} is not a lock of softalign, so it is left as it is and nothing is written there; remove it, or "
                  "name another folder",
                  path));
}

// Takes the lock of an open file. std::runtime_error if somebody else has it.
void take(int file, const RunFolder& folder, int kind) {
  if (::flock(file, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  const std::string holder = holder_in(file);
  ::close(file);
  throw std::runtime_error(
      fmt::format("{}: another program writes to this folder ({}); wait for its end, or name "
                  "another folder",
                  folder.path, holder.empty() ? "it has just begun" : holder));
}

std::string holder_now() {
  return fmt::format("{}{}, since {:%Y-%m-%d %H:%M:%S}", mark, ::getpid(), fmt::localtime(std::time(nullptr)));
}

// A new file with the holder in it, which has its name only when it is whole and locked; -1 where somebody was faster.
int make(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const std::string temporary = fmt::format("{}{}{}-{}", path, data::temporary_mark, ::getpid(), counter++);
  const int file = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail(path, errno);
  ::flock(file, LOCK_EX | LOCK_NB);
  int error = data::write_all(file, holder_now());
  if (error == 0 && ::link(temporary.c_str(), path.c_str()) != 0) error = errno;
  // Some file systems have no hard links.
  const bool no_links = error == EPERM || error == ENOSYS || error == EOPNOTSUPP || error == EMLINK;
  if (no_links && !data::is_there(path) && ::rename(temporary.c_str(), path.c_str()) == 0) return file;
  ::unlink(temporary.c_str());
  if (error == 0) return file;
  ::close(file);
  if (error != EEXIST && !(no_links && data::is_there(path))) fail(path, error);
  return -1;
}

}  // namespace

FolderLock::FolderLock(const RunFolder& folder) : folder_(folder.path), path_(folder.lock()) {
  if (!data::is_there(folder_)) return;
  while (true) {
    file_ = open_there(path_);
    if (file_ < 0) file_ = make(path_);
    else {
      take(file_, folder, LOCK_EX);
      const std::string holder = holder_now();  // in place: it is never without its mark
      const auto size = static_cast<off_t>(holder.size());
      if (::pwrite(file_, holder.data(), holder.size(), 0) != size || ::ftruncate(file_, size) != 0)
        ::lseek(file_, 0, SEEK_SET);  // the lock holds all the same
    }
    if (file_ >= 0 && is_still_there(file_, path_)) return;
    if (file_ >= 0) ::close(file_);
  }
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  if (is_held()) ::unlink(path_.c_str());  // before the lock goes: nobody else's file is removed
  ::close(file_);
}

bool FolderLock::is_held() const { return file_ < 0 || is_still_there(file_, path_); }

void FolderLock::check_held() const {
  if (is_held()) return;
  throw std::runtime_error(
      fmt::format("{} is no longer the folder that this program began to write to: {} was removed, or another program "
                  "has taken its place. Nothing more is written there; give every training a folder of its own",
                  folder_, path_));
}

void check_lockable(const RunFolder& folder) {
  const int file = ::open(folder.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return;
  if (!holder_in(file).empty()) take(file, folder, LOCK_SH);
  ::close(file);
}

bool is_our_lock(const RunFolder& folder) {
  const int file = ::open(folder.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  const bool ours = !holder_in(file).empty();
  ::close(file);
  return ours;
}

}  // namespace softalign::apps
