// A last look before a file gets its name.
#pragma once

#include <functional>

namespace softalign::data {

// While one lives, every FileWriter (data/io/files.h) calls `check` when its file is whole and on disk, just before the
// file takes the place of an old one. If that throws, the old file stays. One at a time.
class WriteGuard {
 public:
  explicit WriteGuard(std::function<void()> check);
  ~WriteGuard();
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;

  static void look();  // calls the check of the one that lives, if any
};

}  // namespace softalign::data
