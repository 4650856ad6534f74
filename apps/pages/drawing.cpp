#include "apps/pages/drawing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "data/io/error.h"
#include "data/io/files.h"

extern char** environ;

namespace softalign::apps {

namespace {

constexpr const char* converter = "rsvg-convert";

bool is_png(std::string_view path) { return path.ends_with(".png"); }

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  folders += ':';
  for (std::size_t begin = 0, end = 0; (end = folders.find(':', begin)) != std::string::npos; begin = end + 1) {
    const std::string folder = folders.substr(begin, end - begin);
    if (::access(fmt::format("{}/{}", folder.empty() ? "." : folder, program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

TemporaryFile temporary_file() {
  TemporaryFile file(std::tmpfile(), std::fclose);
  if (!file)
    throw data::Error(data::ErrorKind::io_error,
                      "the program cannot make a temporary file. Check whether the folder of TMPDIR, or /tmp, is full");
  ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

// Returns a drawing as PNG at twice its size in px, so that letters are sharp in print and on large screens.
std::string png_of(const std::string& path, const std::string& svg) {
  const TemporaryFile in = temporary_file(), out = temporary_file();
  const bool written = std::fwrite(svg.data(), 1, svg.size(), in.get()) == svg.size() && std::fflush(in.get()) == 0;
  if (!written)
    throw data::Error(data::ErrorKind::io_error,
                      "the program cannot write a temporary file. Check whether the disk is full");
  std::rewind(in.get());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), STDOUT_FILENO);
  std::array<std::string, 5> words{converter, "--format", "png", "--zoom", "2"};
  std::array<char*, 6> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, converter, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error == 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (error != 0 || status != 0)
    throw data::Error(
        data::ErrorKind::io_error,
        fmt::format("{}: the program {} failed. Write an SVG file instead of the PNG file", path, converter));
  std::string png;
  std::array<char, 65536> part{};
  std::rewind(out.get());
  for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), out.get())) > 0;) png.append(part.data(), n);
  return png;
}

}  // namespace

bool is_drawing_name(std::string_view path) { return path.ends_with(".svg") || is_png(path); }

void check_drawing_name(const std::string& path) {
  if (!is_png(path) || is_installed(converter)) return;
  throw data::Error(data::ErrorKind::wrong_usage,
                    fmt::format("{}: a PNG file needs the program {}, which is not installed. On Debian, run: apt-get "
                                "install librsvg2-bin. Or write an SVG file: {}",
                                path, converter, std::filesystem::path(path).replace_extension(".svg").string()));
}

void write_drawing(const std::string& path, const std::string& svg) {
  data::OutputFile file(path);
  if (is_png(path)) check_drawing_name(path);
  file.write_all(is_png(path) ? png_of(path, svg) : svg);
}

}  // namespace softalign::apps
