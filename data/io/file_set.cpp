#include "data/io/file_set.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "data/io/files.h"

namespace data {

namespace fs = std::filesystem;

namespace {

fs::path whole(const std::string& folder) { return fs::path(folder) / ".new"; }
fs::path begun(const std::string& folder) { return fs::path(folder) / ".new.part"; }

}  // namespace

bool file_set_waits(const std::string& folder) { return exists(whole(folder).string()); }

void end_file_set(const std::string& folder) {
  if (file_set_waits(folder)) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(whole(folder))) files.push_back(entry.path());
    for (const fs::path& file : files) {
      if (fs::is_directory(file)) fs::remove_all(folder / file.filename());  // of an older set, whole
      fs::rename(file, folder / file.filename());
    }
  }
  fs::remove_all(whole(folder));
  fs::remove_all(begun(folder));
}

void write_file_set(const std::string& folder, const std::vector<NewFile>& files) try {
  fs::create_directories(folder);
  end_file_set(folder);
  try {
    fs::create_directory(begun(folder));
    for (const auto& [name, bytes] : files) {
      const fs::path file = begun(folder) / name;
      fs::create_directories(file.parent_path());
      write_new_file(file.string(), bytes);
    }
    sync_all(begun(folder).string());
    fs::rename(begun(folder), whole(folder));
  } catch (...) {
    std::error_code none;
    fs::remove_all(begun(folder), none);
    throw;
  }
  end_file_set(folder);
} catch (const fs::filesystem_error& error) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", error.path1().string(), error.code().message()));
}

}  // namespace data
