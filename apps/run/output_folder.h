// Writing to a run folder: only one program writes at a time, and an old run is removed only after the new one exists.
#pragma once

#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// A lock, so that one program at a time writes to a folder. From construction to destruction, it uses flock(2) on
// RUN/.lock, and the system releases it whenever the program ends. Readers need no lock. If the file system has no
// locks, nothing is locked.
class FolderLock {
 public:
  // A folder that does not exist is not locked. data::Error if another process writes there, with its number and start
  // time; also if RUN/.lock is not our lock, which is then left unchanged.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Whether RUN/.lock is still this lock, because the folder may have been removed, moved or replaced.
  bool is_held() const;
  // data::Error if the lock is no longer ours, because the folder then belongs to another program. It is called before
  // each file of the folder is written.
  void check_held() const;

 private:
  std::string folder_, path_;
  int file_ = -1;
};

// data::Error if another program writes to the folder now. Nothing is written for it.
void check_lockable(const RunFolder& folder);

// Whether RUN/.lock is a file that a FolderLock wrote.
bool is_our_lock(const RunFolder& folder);

// The names of a run's files in the folder, with kept epochs and the files of the opposite direction (reverse/NAME).
// Symbolic links count, but not if `reverse` itself is one.
std::vector<std::string> run_files(const RunFolder& folder);

// data::Error, with the file, if one of those names is neither a regular file nor a link to one.
void check_regular_files(const RunFolder& folder);

// Creates the folder if it does not exist. data::Error: it is a file, or cannot be created.
void make_folder(const RunFolder& folder);

// data::Error, with the file, if a file that a training writes exists already as a symbolic link or as something other
// than a file.
void check_own_files(const RunFolder& folder);

// Whether a replaced run can come back, because the program that was replacing it was killed.
bool run_waits(const RunFolder& folder);

// Completes or undoes the work of a killed program. The caller must have the folder's lock, and its command must have
// been accepted. It moves or removes only files with names of a run, and only in folders with our mark or in folders
// that an earlier build certainly left.
void recover(const RunFolder& folder);

// data::Error if the folder is not empty and `force` is not set; with `force`, if a file with a name of a run is not
// ours, or a needed name is in use. Nothing is changed.
void check_replaceable(const RunFolder& folder, bool force);

// A run that is replaced by another in its folder. Its files stay in RUN/replaced until the new run has saved its first
// state. If that never happens, they come back, at the latest when the folder is next written to.
class Replacement {
 public:
  // Moves the files of the old run, if any, to RUN/replaced. The lock must exist and outlive this object.
  Replacement(const RunFolder& folder, const FolderLock& lock);
  ~Replacement();  // brings them back, unless the new run is there or the folder is ours no more
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void done();  // the new run is there: removes the old one

 private:
  RunFolder folder_;
  const FolderLock& lock_;
  bool done_ = false;
};

}  // namespace softalign::apps
