#include "data/io/file_set.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>

#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::data {

namespace {

namespace fs = std::filesystem;

fs::path whole(const std::string& folder) { return fs::path(folder) / ".new"; }
fs::path begun(const std::string& folder) { return fs::path(folder) / ".new.part"; }

}  // namespace

bool file_set_waits(const std::string& folder) { return is_marked_folder(whole(folder).string()); }

void check_file_set(const std::string& folder) {
  for (const fs::path& place : {whole(folder), begun(folder)})
    if (is_there(place.string()) && !is_marked_folder(place.string()))
      throw Error(
          ErrorKind::io_error,
          fmt::format("{} already exists and softalign did not write it, so it is not overwritten. Move it to another "
                      "place. If an earlier make_corpus was stopped and left it, first move its files to {}",
                      place.string(), folder));
}

void end_file_set(const std::string& folder) {
  if (file_set_waits(folder)) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(whole(folder)))
      if (entry.path().filename() != mark_name) files.push_back(entry.path());
    for (const fs::path& file : files) {
      if (fs::is_directory(fs::symlink_status(file))) fs::remove_all(folder / file.filename());  // the older folder
      fs::rename(file, folder / file.filename());
    }
  }
  remove_mark(whole(folder).string());
  remove_marked_folder(begun(folder).string());
}

void write_file_set(const std::string& folder, const std::vector<NewFile>& files) try {
  fs::create_directories(folder);
  check_file_set(folder);
  end_file_set(folder);
  try {
    make_marked_folder(begun(folder).string());
    for (const auto& [name, bytes] : files) {
      const fs::path file = begun(folder) / name;
      fs::create_directories(file.parent_path());
      write_new_file(file.string(), bytes);
    }
    sync_all(begun(folder).string());
    fs::rename(begun(folder), whole(folder));
  } catch (...) {
    try {
      remove_marked_folder(begun(folder).string());
    } catch (const std::exception&) {  // the next program that writes there tries again
    }
    throw;
  }
  end_file_set(folder);
} catch (const fs::filesystem_error& error) {
  throw Error(kind_of(error), fmt::format("cannot write {}: {}", error.path1().string(), error.code().message()));
}

}  // namespace softalign::data
