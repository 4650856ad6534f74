#include "data/io/file_kind.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "data/io/error.h"

namespace softalign::data {

const char* kind_of_file(mode_t mode) {
  return S_ISLNK(mode)    ? "a symbolic link"
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a named pipe"
         : S_ISSOCK(mode) ? "a socket"
         : S_ISREG(mode)  ? "a file"
                          : "a device";
}

void check_regular(const std::string& path) {
  struct stat info {};
  // If the file is missing or is a folder, the function that reads it reports this.
  if (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) return;
  throw Error(ErrorKind::io_error,
              fmt::format("{} is {}, but a regular file is needed here", path, kind_of_file(info.st_mode)));
}

}  // namespace softalign::data
