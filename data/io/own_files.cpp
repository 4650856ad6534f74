#include "data/io/own_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"

namespace softalign::data {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark_text = "softalign keeps files here while it replaces others (docs/reliability.md)\n";

std::string mark_of(const std::string& folder) { return fmt::format("{}/{}", folder, mark_name); }

// Without following a link; nothing if there is no such name.
std::optional<struct stat> look(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) return info;
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  const int error = errno;
  throw Error(kind_of_errno(error), fmt::format("cannot read {}: {}", shown_path(path, error), std::strerror(error)));
}

const char* kind_of(mode_t mode) {
  return S_ISLNK(mode)    ? "a symbolic link"
         : S_ISDIR(mode)  ? "a folder"
         : S_ISFIFO(mode) ? "a named pipe"
         : S_ISSOCK(mode) ? "a socket"
         : S_ISREG(mode)  ? "a file"
                          : "a device";
}

[[noreturn]] void refuse(const std::string& path, const struct stat& info) {
  throw Error(
      ErrorKind::io_error,
      fmt::format("{} is {}, and softalign writes only regular files in its folders. Remove it, or name another folder",
                  path, kind_of(info.st_mode)));
}

}  // namespace

std::optional<int> process_of_leftover(std::string_view name) {
  const std::size_t mark = name.rfind(temporary_mark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(mark + temporary_mark.size());
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const auto process = number<unsigned>(rest.substr(0, dash));
  std::string_view count = rest.substr(std::min(dash + 1, rest.size()));
  if (count.starts_with('f')) count.remove_prefix(1);  // a folder's (data/io/own_files.h)
  if (!process || !number<unsigned>(count)) return std::nullopt;
  return static_cast<int>(*process);
}

bool is_there(const std::string& path) { return look(path).has_value(); }

void check_own_file(const std::string& path) {
  if (const auto info = look(path); info && !S_ISREG(info->st_mode)) refuse(path, *info);
}

void check_own_folder(const std::string& path) {
  if (const auto info = look(path); info && !S_ISDIR(info->st_mode)) refuse(path, *info);
}

void write_own_file(const std::string& path, std::string_view bytes) {
  check_own_file(path);
  write_file(path, bytes);
}

void write_own_file(const std::string& path, std::span<const std::string_view> pieces) {
  check_own_file(path);
  write_file(path, pieces);
}

void check_regular(const std::string& path) {
  struct stat info {};
  // Who reads a file says that it is not there, or a folder.
  if (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) return;
  throw Error(ErrorKind::io_error,
              fmt::format("{} is {}, but a regular file is needed here", path, kind_of(info.st_mode)));
}

std::string read_named(const std::string& path, std::size_t most) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISFIFO(info.st_mode)) return read_bytes(path);
  std::ifstream in(path, std::ios::binary);
  std::string bytes(most + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.size() > most)
    throw Error(
        ErrorKind::bad_data,
        fmt::format("{}: the file has more than {} bytes, which is too much for a file of this kind", path, most));
  return bytes;
}

namespace {

// A name that remove_leftovers (data/io/files.h) knows.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}{}{}-f{}", path, temporary_mark, ::getpid(), counter++);
}

}  // namespace

void make_marked_folder(const std::string& path) {
  if (is_there(path))
    throw Error(ErrorKind::io_error, fmt::format("cannot create {}, because this name is already in use", path));
  const std::string temporary = temporary_name(path);
  try {
    fs::create_directory(temporary);
    write_new_file(mark_of(temporary), mark_text);
    fs::rename(temporary, path);
  } catch (...) {
    std::error_code none;
    fs::remove_all(temporary, none);
    throw;
  }
}

bool is_marked_folder(const std::string& path) {
  const auto folder = look(path);
  if (!folder || !S_ISDIR(folder->st_mode)) return false;
  const auto mark = look(mark_of(path));
  return mark && S_ISREG(mark->st_mode) && mark->st_size == static_cast<off_t>(mark_text.size()) &&
         read_bytes(mark_of(path)) == mark_text;
}

void remove_marked_folder(const std::string& path) {
  if (!is_marked_folder(path)) return;
  const std::string temporary = temporary_name(path);  // still ours where its removal is interrupted
  fs::rename(path, temporary);
  fs::remove_all(temporary);
}

void remove_mark(const std::string& path) {
  if (!is_marked_folder(path)) return;
  std::size_t entries = 0;
  for ([[maybe_unused]] const fs::directory_entry& entry : fs::directory_iterator(path)) ++entries;
  if (entries == 1) return remove_marked_folder(path);
  fs::remove(mark_of(path));
}

namespace fs = std::filesystem;

namespace {

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
      if (fs::is_directory(fs::symlink_status(file))) fs::remove_all(folder / file.filename());  // of an older set
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
