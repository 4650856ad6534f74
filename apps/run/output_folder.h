// How a run folder is written to: by one program at a time, and so that an old run goes only once a new one is there.
#pragma once

#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace softalign::apps {

// One program at a time writes to a folder. The lock is held from construction to destruction by flock(2) on RUN/.lock:
// the system gives it back whatever ends the program. Readers need none. Where the file system knows no locks, nothing
// is locked.
class FolderLock {
 public:
  // A folder that is not there is not locked. data::Error, naming the process that writes there and since when,
  // if there is one; and if RUN/.lock is no lock of ours, which is then left as it is.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Whether RUN/.lock still is this lock: the folder may have been removed, moved or replaced since.
  bool is_held() const;
  // data::Error if it is not: whatever stands there now belongs to somebody else. Called before each file of the
  // folder is written.
  void check_held() const;

 private:
  std::string folder_, path_;
  int file_ = -1;
};

// data::Error if another program writes to the folder now. Nothing is written for it.
void check_lockable(const RunFolder& folder);

// Whether RUN/.lock is a file that a FolderLock wrote.
bool is_our_lock(const RunFolder& folder);

// The names of a run's files that the folder holds, kept epochs and those of the opposite direction (reverse/NAME)
// among them. Symbolic links count; a reverse that is one does not.
std::vector<std::string> run_files(const RunFolder& folder);

// data::Error, naming the file, if one of those names is no regular file and no link to one.
void check_regular_files(const RunFolder& folder);

// Makes the folder if it is not there. data::Error: it is a file, or cannot be made.
void make_folder(const RunFolder& folder);

// data::Error, naming the file, if one that a training writes is there and is a symbolic link or no file.
void check_own_files(const RunFolder& folder);

// Whether a run that another replaced waits to come back: the program that was replacing it was killed.
bool run_waits(const RunFolder& folder);

// For whoever holds the folder's lock, once its command has been accepted: undoes or ends what a program that was
// killed began in it. Only files of a run's names are moved or removed, and only out of folders that carry our mark, or
// that an earlier build certainly left.
void recover(const RunFolder& folder);

// data::Error if the folder holds something and `force` is not set, or if it is and a file of a run's name is
// none of ours, or something stands where files would be put. Nothing is changed.
void check_replaceable(const RunFolder& folder, bool force);

// A run that makes room for another in its folder. Its files wait in RUN/replaced until the new run has saved its first
// state; if that never happens they come back, at the latest when the folder is next written to.
class Replacement {
 public:
  // Puts the files of the run that stands there, if any, away. The lock must be held and outlive this.
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
