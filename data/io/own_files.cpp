#include "data/io/own_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "data/io/error.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/temporary_names.h"

namespace softalign::data {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark_text = "softalign keeps files here while it replaces others (docs/reliability.md)\n";

std::string mark_of(const std::string& folder) { return fmt::format("{}/{}", folder, mark_name); }

// look does not follow a symbolic link. It returns nothing if there is no such name.
std::optional<struct stat> look(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) == 0) return info;
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  const int error = errno;
  throw Error(kind_of_errno(error), fmt::format("cannot read {}: {}", shown_path(path, error), std::strerror(error)));
}

[[noreturn]] void refuse(const std::string& path, const struct stat& info) {
  throw Error(
      ErrorKind::io_error,
      fmt::format("{} is {}, and softalign writes only regular files in its folders. Remove it, or name another folder",
                  path, kind_of_file(info.st_mode)));
}

}  // namespace

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

// temporary_name returns a name that remove_leftovers (data/io/files.h) recognises.
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
  const std::string temporary = temporary_name(path);  // remove_leftovers removes it if this removal is interrupted
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

}  // namespace softalign::data
