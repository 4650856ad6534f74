// This file writes to a run folder. Only one program writes at a time. An old run is removed only after the new run is
// complete enough to replace it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// FolderLock is a lock, so that only one program at a time writes to a folder. From construction to destruction, it
// locks the file RUN/.lock with flock(2). The system releases the lock whenever the program ends. Readers need no lock.
// If the file system has no locks, nothing is locked.
class FolderLock {
 public:
  // Locks the folder if it exists. Throws data::Error if another process writes to the folder; the message has the
  // number and start time of that process. Also throws data::Error if another program wrote RUN/.lock, and leaves the
  // file as it is.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Returns true if the file RUN/.lock is still the file that this object locked, or if this object locked nothing.
  // Another program may have removed, moved or replaced the folder.
  bool is_held() const;
  // Throws data::Error if this object has lost the lock, because the folder then belongs to another program. Programs
  // call this function before they write each file of the folder.
  void check_held() const;

 private:
  std::string folder_, path_;
  int file_ = -1;
};

// Throws data::Error if another program writes to the folder now. This check writes nothing.
void check_lockable(const RunFolder& folder);

// Returns true if a FolderLock wrote the file RUN/.lock.
bool is_our_lock(const RunFolder& folder);

// Returns the names of a run's files in the folder. They include the parameters of kept epochs (--keep-epochs) and the
// files of the run of the opposite direction (reverse/NAME). Symbolic links count as files. If `reverse` itself is a
// symbolic link, its files do not count.
std::vector<std::string> run_files(const RunFolder& folder);

// Throws data::Error if one of a run's files is neither a regular file nor a link to one. The message names the file.
void check_regular_files(const RunFolder& folder);

// Creates the folder if it does not exist. Throws data::Error if the name is a file, or if the folder cannot be
// created.
void make_folder(const RunFolder& folder);

// Throws data::Error if a file that a training writes exists already as a symbolic link or as something other than a
// file. The message names the file.
void check_own_files(const RunFolder& folder);

// Returns true if a program was killed while it replaced a run, and recover() can restore the old run.
bool run_waits(const RunFolder& folder);

// If an earlier program was killed while it replaced a run, this function finishes or undoes the replacement, and
// removes temporary files. Call it after locking the folder and checking the user's command. It changes only files
// whose names belong to a run. It trusts a folder RUN/replaced only if softalign has marked it with the file
// `.softalign`, or if it contains nothing but a run of an earlier build.
void recover(const RunFolder& folder);

// Throws data::Error if the folder is not empty and `force` is not set. With `force`, throws data::Error if the folder
// has a file or folder that no run wrote, but whose name the new run needs. This check changes nothing.
void check_replaceable(const RunFolder& folder, bool force);

// A Replacement replaces the run in a folder by a new run. The files of the old run stay in RUN/replaced until the new
// run has saved its first state. If the new run never does that, the old files are restored. This happens at the latest
// when a program next writes to the folder.
class Replacement {
 public:
  // Moves the files of the old run, if there are any, to RUN/replaced. The lock must exist and outlive this object.
  Replacement(const RunFolder& folder, const FolderLock& lock);
  ~Replacement();  // restores the old run, unless the new run exists or the lock is lost
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void done();  // removes the old run, because the new one exists

 private:
  RunFolder folder_;
  const FolderLock& lock_;
  bool done_ = false;
};

// Prepares a folder for a new run. The function makes the folder if it does not exist, locks it, calls recover(), and
// moves the files of an old run to RUN/replaced. `lock` becomes the lock of the folder, and must outlive the result.
// Throws data::Error if check_replaceable() does. If a program has long work before this call, it calls
// check_replaceable() before the work, so that the error comes early.
std::unique_ptr<Replacement> begin_new_run(const RunFolder& folder, bool force, std::optional<FolderLock>& lock);

}  // namespace softalign::apps
