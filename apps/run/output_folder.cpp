#include "apps/run/output_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "apps/run/model_card.h"
#include "apps/run/provenance.h"
#include "apps/run/run_files.h"
#include "apps/run/train_options.h"
#include "data/io/error.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/temporary_names.h"
#include "models/checkpoint.h"
#include "models/config.h"

namespace softalign::apps {

namespace {

constexpr std::string_view mark = "process ";  // the beginning of a lock's text

// Returns true if the open file is still the file of this name. Its last holder may have removed it in the meantime.
bool is_still_there(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// Returns the holder of a lock: "process 17, since 2026-01-31 12:00:00". Returns "" if the file is not a lock of
// softalign.
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
  throw data::Error(data::kind_of_errno(error), fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

// Opens the lock, and returns -1 if there is none. Throws data::Error if softalign did not write the file.
int open_there(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0 && errno == ENOENT) return -1;
  if (file < 0 && errno != ELOOP && errno != ENXIO && errno != EISDIR) fail(path, errno);
  if (file >= 0 && !holder_in(file).empty()) return file;
  if (file >= 0) ::close(file);
  throw data::Error(
      data::ErrorKind::io_error,
      fmt::format("{} is a file that softalign did not write, although softalign uses this name for its lock. "
                  "Therefore nothing is written to the folder. Remove the file, or name another folder",
                  path));
}

// Locks an open file. Throws data::Error if another process has locked the file.
void take(int file, const RunFolder& folder, int kind) {
  if (::flock(file, kind | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  const std::string holder = holder_in(file);
  ::close(file);
  throw data::Error(data::ErrorKind::io_error, fmt::format("{}: another program is writing to this folder ({}). Wait "
                                                           "until this program has ended, or choose another folder",
                                                           folder.path, holder.empty() ? "it has just begun" : holder));
}

std::string holder_now() {
  return fmt::format("{}{}, since {:%Y-%m-%d %H:%M:%S}", mark, ::getpid(), fmt::localtime(std::time(nullptr)));
}

// Makes the lock. The file gets its name only when it contains its holder and is locked. Returns -1 if another process
// was faster.
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
      const std::string holder = holder_now();  // overwritten in place, so its mark is always there
      const auto size = static_cast<off_t>(holder.size());
      if (::pwrite(file_, holder.data(), holder.size(), 0) != size || ::ftruncate(file_, size) != 0)
        ::lseek(file_, 0, SEEK_SET);  // the folder stays locked all the same
    }
    if (file_ >= 0 && is_still_there(file_, path_)) return;
    if (file_ >= 0) ::close(file_);
  }
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  if (is_held()) ::unlink(path_.c_str());  // while it is locked: no other program's file is removed
  ::close(file_);
}

bool FolderLock::is_held() const { return file_ < 0 || is_still_there(file_, path_); }

void FolderLock::check_held() const {
  if (is_held()) return;
  throw data::Error(
      data::ErrorKind::io_error,
      fmt::format("{} is no longer the folder to which this program was writing, because {} was removed or another "
                  "program replaced it. The program writes nothing more. Give every training its own folder",
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

namespace fs = std::filesystem;
using data::is_there;

namespace {

std::string away(const RunFolder& folder) { return folder.file("replaced"); }
// The old run is here while its files are moved. A complete old run is then renamed to away().
std::string moving(const RunFolder& folder) { return folder.file("replaced.part"); }

void move_to(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::rename(from, to);
}

// Returns true if the folder has the state of a training, or a model that no training wrote (average).
bool has_begun(const RunFolder& folder) {
  return is_there(folder.last()) || (is_there(folder.model()) && !is_there(folder.metrics()));
}

// Returns "" if the folder's config.json belongs to a run of softalign. Otherwise returns the problem with this file.
std::string problem_of_config(const RunFolder& folder) {
  try {
    data::check_regular(folder.config());
    TrainOptions options;
    const std::string text = data::read_bytes(folder.config());
    models::read_config(table(options), text, folder.config());
    const std::vector<std::string> names = models::names_in_config(text, folder.config());
    return std::find(names.begin(), names.end(), "model") == names.end() ? "it names no \"model\"" : "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// Returns true if an earlier build left this folder without a mark. The folder then contains only files of a run, and a
// configuration of softalign describes them. No file of moving() may also exist in the run folder. A run in the run
// folder is never changed because of such a folder.
bool is_of_earlier_build(const RunFolder& folder, const std::string& place) {
  if (!fs::is_directory(fs::symlink_status(place)) || is_there(folder.last()) || is_there(folder.model())) return false;
  const RunFolder there{place};
  const std::vector<std::string> names = run_files(there);
  std::size_t entries = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(place)) {
    const fs::file_status status = entry.symlink_status();
    if (fs::is_directory(status)) continue;
    if (!fs::is_regular_file(status)) return false;
    ++entries;
  }
  if (entries == 0 || entries != names.size()) return false;
  if (place == moving(folder) &&
      std::any_of(names.begin(), names.end(), [&](const auto& name) { return is_there(folder.file(name)); }))
    return false;
  return problem_of_config(is_there(there.config()) ? there : folder).empty();
}

bool may_come_back(const RunFolder& folder, const std::string& place) {
  return data::is_marked_folder(place) || is_of_earlier_build(folder, place);
}

// Removes the rest of such a folder after its files have been moved. Files that do not belong to a run stay.
void remove_place(const RunFolder& there) {
  std::error_code holds_more;
  fs::remove(there.reverse().path, holds_more);
  if (data::is_marked_folder(there.path)) data::remove_mark(there.path);
  else fs::remove(there.path, holds_more);
}

void bring_back(const RunFolder& folder) {
  if (may_come_back(folder, away(folder)) && !is_there(moving(folder))) {
    data::check_own_folder(folder.reverse().path);
    for (const std::string& name : run_files(folder))
      // diverged.safetensors stays, because it shows why the new run failed.
      if (folder.file(name) != folder.diverged()) fs::remove(folder.file(name));
    fs::rename(away(folder), moving(folder));
  }
  if (!may_come_back(folder, moving(folder))) return;
  data::check_own_folder(folder.reverse().path);
  const RunFolder there{moving(folder)};
  for (const std::string& name : run_files(there)) move_to(there.file(name), folder.file(name));
  remove_place(there);
}

// Removes the replaced run, if there is one.
void remove_replaced(const RunFolder& folder) {
  if (!data::is_marked_folder(away(folder))) return;
  const RunFolder old{away(folder)};
  for (const std::string& name : run_files(old)) fs::remove(old.file(name));
  remove_place(old);
}

// Returns true if the folder counts as empty. It may contain a lock of softalign and temporary files.
bool is_empty(const RunFolder& folder) {
  if (!is_there(folder.path) || !fs::is_directory(folder.path)) return true;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path)) {
    const bool lock = entry.path().filename() == ".lock" && is_our_lock(folder);
    if (!lock && !data::process_of_leftover(entry.path().filename().string())) return false;
  }
  return true;
}

[[noreturn]] void refuse(const RunFolder& folder, const std::string& file, const std::string& reason) {
  throw data::Error(data::ErrorKind::io_error, fmt::format("--out {}: {} does not belong to a run of softalign ({}), "
                                                           "so --force does not replace it. Choose another folder",
                                                           folder.path, file, reason));
}

void check_ours(const RunFolder& folder) {
  const std::vector<std::string> files = run_files(folder);
  if (files.empty()) return;
  if (!is_there(folder.config())) refuse(folder, folder.file(files.front()), "there is no config.json next to it");
  if (const std::string problem = problem_of_config(folder); !problem.empty()) refuse(folder, folder.config(), problem);
  if (is_there(folder.reverse().config())) check_ours(folder.reverse());
  for (const std::string& name : files) {
    if (fs::is_directory(fs::symlink_status(folder.file(name)))) refuse(folder, folder.file(name), "it is a folder");
    if (name.ends_with(".safetensors"))
      if (const std::string problem = models::problem_of_format(folder.file(name)); !problem.empty())
        refuse(folder, folder.file(name), problem);
  }
}

// Returns true if some files of a run are moved away and others are still there. The folder then has no complete run.
bool is_half_away(const RunFolder& folder) { return may_come_back(folder, moving(folder)); }

}  // namespace

void check_own_files(const RunFolder& folder) {
  for (const std::string& file :
       {folder.config(), folder.model(), folder.last(), folder.metrics(), folder.timing(), folder.history(),
        folder.diverged(), folder.alignment_layer(), provenance_file(folder)})
    data::check_own_file(file);
  for (const std::size_t epoch : kept_epochs(folder)) data::check_own_file(epoch_file(folder, epoch));
}

bool run_waits(const RunFolder& folder) {
  return !has_begun(folder) ? may_come_back(folder, away(folder)) || is_half_away(folder) : is_half_away(folder);
}

std::vector<std::string> run_files(const RunFolder& folder) {
  std::vector<std::string> paths{folder.config(),          folder.alignment_layer(),
                                 folder.model(),           folder.last(),
                                 folder.source_vocab(),    folder.target_vocab(),
                                 folder.source_subwords(), folder.target_subwords(),
                                 folder.target_case(),     folder.metrics(),
                                 folder.timing(),          folder.history(),
                                 folder.alignments(),      folder.beam(),
                                 folder.interventions(),   folder.diverged(),
                                 provenance_file(folder)};
  for (const std::size_t epoch : kept_epochs(folder)) paths.push_back(epoch_file(folder, epoch));
  if (is_model_card(folder.card())) paths.push_back(folder.card());
  std::vector<std::string> names;
  for (const std::string& path : paths)
    if (is_there(path)) names.push_back(fs::path(path).filename().string());
  if (fs::is_directory(fs::symlink_status(folder.reverse().path)) && is_there(folder.reverse().config()))
    for (const std::string& name : run_files(folder.reverse()))
      names.push_back(fs::path(folder.reverse().path).filename() / name);
  return names;
}

void check_regular_files(const RunFolder& folder) {
  for (const std::string& name : run_files(folder)) data::check_regular(folder.file(name));
}

void recover(const RunFolder& folder) {
  if (has_begun(folder)) remove_replaced(folder);
  bring_back(folder);
  data::remove_leftovers(folder.path);
}

void make_folder(const RunFolder& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder.path, error);
  if (fs::exists(status) && !fs::is_directory(status))
    throw data::Error(
        data::ErrorKind::io_error,
        fmt::format("--out {}: this is a file, and a folder is needed. Choose another name", folder.path));
  fs::create_directories(folder.path, error);
  if (error)
    throw data::Error(data::kind_of_errno(error.value()),
                      fmt::format("--out {}: the folder cannot be created: {}", folder.path, error.message()));
}

void check_replaceable(const RunFolder& folder, bool force) {
  if (is_empty(folder)) return;
  if (!force)
    throw data::Error(data::ErrorKind::io_error,
                      fmt::format("--out {}: the folder exists and is not empty. Add --resume to continue the training "
                                  "in this folder, or --force to replace the folder",
                                  folder.path));
  data::check_own_folder(folder.reverse().path);
  for (const std::string& place : {away(folder), moving(folder)})
    if (is_there(place) && !may_come_back(folder, place))
      throw data::Error(data::ErrorKind::io_error,
                        fmt::format("--out {}: {} already exists and softalign did not write it, so softalign does not "
                                    "overwrite it. Move it to another place, or name another folder",
                                    folder.path, place));
  if (!run_waits(folder)) check_ours(folder);
}

Replacement::Replacement(const RunFolder& folder, const FolderLock& lock) : folder_(folder), lock_(lock) {
  const std::vector<std::string> names = run_files(folder);
  if (names.empty()) return;
  data::make_marked_folder(moving(folder));
  for (const std::string& name : names) move_to(folder.file(name), fs::path(moving(folder)) / name);
  std::error_code holds_more;
  fs::remove(folder.reverse().path, holds_more);
  fs::rename(moving(folder), away(folder));
}

Replacement::~Replacement() {
  if (done_) return;
  try {
    if (lock_.is_held()) recover(folder_);
  } catch (const std::exception&) {  // the next program that writes to the folder tries again
  }
}

void Replacement::done() {
  if (!done_) remove_replaced(folder_);
  done_ = true;
}

std::unique_ptr<Replacement> begin_new_run(const RunFolder& folder, bool force, std::optional<FolderLock>& lock) {
  make_folder(folder);
  lock.reset();
  lock.emplace(folder);
  recover(folder);
  check_replaceable(folder, force);  // the folder may have changed before it was locked
  return std::make_unique<Replacement>(folder, *lock);
}

}  // namespace softalign::apps
