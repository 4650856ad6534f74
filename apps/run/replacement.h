// A run that makes room for another in its folder. Its files wait in RUN/replaced until the new run has saved its first
// state; if that never happens they come back, at the latest when the folder is next written to.
#pragma once

#include <string>
#include <vector>

#include "apps/run/run_files.h"

namespace apps {

// The names of a run's files that the folder holds, kept epochs and those of the opposite direction (reverse/NAME)
// among them.
std::vector<std::string> run_files(const RunFolder& folder);

// Makes the folder if it is not there. std::runtime_error: it is a file, or cannot be made.
void make_folder(const RunFolder& folder);

// For whoever holds the folder's lock: undoes or ends what a program that was killed began in it.
void recover(const RunFolder& folder);

// std::runtime_error if the folder holds something and `force` is not set, or if it is and a file of a run's name is
// none of ours.
void check_replaceable(const RunFolder& folder, bool force);

class Replacement {
 public:
  explicit Replacement(const RunFolder& folder);  // puts the files of the run that stands there, if any, away
  ~Replacement();                                 // brings them back, unless the new run is there
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void done();  // the new run is there: removes the old one

 private:
  RunFolder folder_;
  bool done_ = false;
};

}  // namespace apps
