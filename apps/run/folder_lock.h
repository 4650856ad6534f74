// One program at a time writes to a run folder.
#pragma once

#include "apps/run/run_files.h"

namespace softalign::apps {

// Held from construction to destruction by flock(2) on RUN/.lock: the system gives it back whatever ends the program.
// Readers need none. Where the file system knows no locks, nothing is locked.
class FolderLock {
 public:
  // A folder that is not there is not locked. std::runtime_error, naming the process that writes there and since when,
  // if there is one; and if RUN/.lock is no lock of ours, which is then left as it is.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Whether RUN/.lock still is this lock: the folder may have been removed, moved or replaced since.
  bool is_held() const;
  // std::runtime_error if it is not: whatever stands there now belongs to somebody else. Called before each file of the
  // folder is written.
  void check_held() const;

 private:
  std::string folder_, path_;
  int file_ = -1;
};

// std::runtime_error if another program writes to the folder now. Nothing is written for it.
void check_lockable(const RunFolder& folder);

// Whether RUN/.lock is a file that a FolderLock wrote.
bool is_our_lock(const RunFolder& folder);

}  // namespace softalign::apps
