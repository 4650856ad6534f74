#include "data/io/shipped.h"

#include "data/io/files.h"

namespace softalign::data {

std::filesystem::path program_folder() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

std::string shipped(const std::string& path) {
  const std::filesystem::path beside = program_folder().parent_path();
  if (beside.empty() || !path.starts_with("data/") || exists(path)) return path;
  for (const std::filesystem::path& there : {beside / path, beside / "share/softalign" / path}) {
    if (exists(there.string())) return there.string();
  }
  return path;
}

}  // namespace softalign::data
