// One program at a time writes to a run folder.
#pragma once

#include "apps/run/run_files.h"

namespace apps {

// Held from construction to destruction by flock(2) on RUN/.lock: the system gives it back whatever ends the program.
// Readers need none. Where the file system knows no locks, nothing is locked.
class FolderLock {
 public:
  // A folder that is not there is not locked. std::runtime_error, naming the process that writes there and since when,
  // if there is one.
  explicit FolderLock(const RunFolder& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace apps
