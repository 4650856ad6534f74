#include "data/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>

#include "data/io/choice.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/file_kind.h"
#include "data/io/gzip.h"
#include "data/io/line_limit.h"
#include "data/io/temporary_names.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

std::function<void()>& current() {
  static std::function<void()> check;
  return check;
}

}  // namespace

WriteGuard::WriteGuard(std::function<void()> check) { current() = std::move(check); }
WriteGuard::~WriteGuard() { current() = nullptr; }

void WriteGuard::check_now() {
  if (current()) current()();
}

namespace {

namespace fs = std::filesystem;

// Descriptor is a file descriptor that closes itself.
struct Descriptor {
  int fd;
  explicit Descriptor(int descriptor) : fd(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void fail(ErrorKind kind, const std::string& message) { throw Error(kind, message); }

[[noreturn]] void cannot_write(const std::string& path, int error) {
  const std::string folder = fs::path(path).parent_path().empty() ? "." : fs::path(path).parent_path().string();
  std::string hint;
  if (error == ENOENT) hint = fmt::format(". The folder {} does not exist. Create it first", folder);
  if (error == EACCES || error == EPERM || error == EROFS)
    hint = fmt::format(". Choose a folder that you may write to instead of {}", folder);
  if (error == ENOSPC || error == EDQUOT) hint = ". The disk is full. Free some space, or choose another folder";
  if (error == EFBIG) hint = ". The file would be larger than a file may be here (see ulimit -f)";
  fail(kind_of_errno(error), fmt::format("cannot write {}: {}{}", shown_path(path, error), std::strerror(error), hint));
}

// stream_of returns N of a path that names an open file of this process: /dev/stdout, /dev/fd/N, /proc/self/fd/N.
std::optional<int> stream_of(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder)) return number<int>(path.substr(folder.size()));
  return std::nullopt;
}

// followed returns the path that a symbolic link leads to in the end, even if no file is there. It returns other paths
// unchanged.
std::string followed(const std::string& given) {
  std::error_code none;
  fs::path path = given;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, none)); ++links) {
    if (links == 40) cannot_write(given, ELOOP);  // the system has the same limit
    path = path.parent_path() / fs::read_symlink(path, none);
  }
  return path.string();
}

// open_beside opens a new file in the folder of `path`, with a unique name. It registers the name before the file
// exists, so that no signal leaves the file behind.
void open_beside(const std::string& path, mode_t mode, int& fd, std::string& name) {
  static std::atomic<unsigned> counter{0};
  do {
    forget_temporary(name.c_str());
    name = fmt::format("{}{}{}-{}", path, temporary_mark, ::getpid(), counter++);
    register_temporary(name.c_str());
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EEXIST);
  if (fd >= 0) ::flock(fd, LOCK_EX | LOCK_NB);  // so that no process takes the file for a leftover
}

// is_abandoned is true if the process that wrote a temporary file has ended. If this process runs on another machine or
// in another container, only its lock shows that it still runs.
bool is_abandoned(const std::string& temporary, pid_t process) {
  if (::kill(process, 0) == 0 || errno != ESRCH) return false;
  const Descriptor file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.fd >= 0 && (::flock(file.fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
}

}  // namespace

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string shown_path(const std::string& path, int error) { return error == ENAMETOOLONG ? shortened(path) : path; }

bool exists(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return true;
  const int error = errno;
  if (error == ENOENT || error == ENOTDIR) return false;
  fail(kind_of_errno(error), fmt::format("cannot read {}: {}", shown_path(path, error), std::strerror(error)));
}

namespace {

// A pipe has an end, and the user can end the input of a terminal. Other devices may have no end.
void check_ends(const std::string& path, int fd, const struct stat& info) {
  const bool device = S_ISBLK(info.st_mode) || S_ISCHR(info.st_mode);
  struct stat null {};
  const bool is_null = ::stat("/dev/null", &null) == 0 && info.st_rdev == null.st_rdev;
  if (device && !is_null && ::isatty(fd) == 0)
    fail(ErrorKind::io_error,
         fmt::format("cannot read {}, because it is a device, which may have no end. Give the name of a file or a pipe",
                     path));
}

// names_in returns the sorted names in a folder, or no names if the folder cannot be listed.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;  // after an error, `entry` equals `end`
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, none), end; entry != end && names.size() < 10000;
       entry.increment(none))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// hint_of_missing returns a hint at the mistake in the name of a missing file. It suggests no other name for a file of
// a run (`is_own`).
std::string hint_of_missing(const std::string& path, bool is_own) {
  const auto has = [&](const char* text) { return path.find(text) != std::string::npos; };
  if (path == "-") return "a file of a run cannot come from standard input";
  if (has("\t")) return "the name contains a tab, so it may be a line of a TSV file. Give only the names: cut -f1 FILE";
  if (path.starts_with('~'))
    return "the shell replaces ~ only at the beginning of a word: write a space before ~ instead of =";
  if (has("$")) return "the shell did not replace the variable: write it without single quotes";
  if (has("\u201c") || has("\u201d") || has("\u2018") || has("\u2019"))
    return "its quotation marks are typographic ones: type \" or '";
  if (has("\\")) return "folders are separated by /, not by a backslash";
  const fs::path folder = fs::path(path).parent_path();
  if (std::error_code none; !folder.empty() && !fs::exists(folder, none))
    return fmt::format("the folder {} does not exist; check the spelling and the folder you are in", folder.string());
  const std::string name = fs::path(path).filename().string();
  const std::string meant = is_own || name.size() > 100 ? "" : nearest(name, names_in(folder));
  if (!meant.empty()) return fmt::format("did you mean {}?", (folder / meant).string());
  return "check the spelling and the folder you are in";
}

// hint_of_folder names the files that the user may mean by their folder.
std::string hint_of_folder(const std::string& path) {
  std::string text = "give the name of a file in it";
  std::size_t shown = 0;
  std::error_code none;
  for (const std::string& name : names_in(path)) {
    if (name.starts_with('.') || !fs::is_regular_file(fs::path(path) / name, none)) continue;
    if (++shown > 4) return text + ", ...";
    text += fmt::format("{} {}", shown == 1 ? ":" : ",", (fs::path(path) / name).string());
  }
  return text;
}

// ReadFiles knows which regular files have been read, by device and inode.
class ReadFiles {
 public:
  void add(const struct stat& info) {
    if (!S_ISREG(info.st_mode)) return;
    const std::lock_guard lock(mutex_);
    files_.emplace(info.st_dev, info.st_ino);
  }
  bool has(const struct stat& info) {
    const std::lock_guard lock(mutex_);
    return files_.count({info.st_dev, info.st_ino}) > 0;
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<dev_t, ino_t>> files_;
};
ReadFiles& read_files() {
  static ReadFiles files;
  return files;
}

// If `limit` is given, it watches all data that is not gzip data, and the path - is standard input. If `limit` is not
// given, the file must be a regular file.
std::string read_all(const std::string& path, LineLimit* limit) {
  if (!limit) check_regular(path);
  const char* const opened = limit && path == "-" ? "/dev/stdin" : path.c_str();
  const Descriptor file(::open(opened, O_RDONLY | O_CLOEXEC | (limit ? 0 : O_NONBLOCK)));
  if (file.fd < 0) {
    const int error = errno;
    fail(kind_of_errno(error), fmt::format("cannot read {}: {}{}", shown_path(path, error), std::strerror(error),
                                           error == ENOENT ? "; " + hint_of_missing(path, !limit) : ""));
  }
  struct stat info {};
  if (::fstat(file.fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    fail(ErrorKind::io_error, fmt::format("cannot read {}: it is a folder; {}", path, hint_of_folder(path)));
  }
  check_ends(path, file.fd, info);
  read_files().add(info);
  std::string bytes;
  if (info.st_size > 0) bytes.reserve(static_cast<std::size_t>(info.st_size));
  char block[1 << 16];
  while (true) {
    const ssize_t got = ::read(file.fd, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(kind_of_errno(errno), fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    if (got == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(got));
    if (limit && !is_gzip(bytes)) limit->add({block, static_cast<std::size_t>(got)});
  }
}

}  // namespace

std::string read_bytes(const std::string& path) { return read_all(path, nullptr); }

// is_safetensors returns true if the bytes begin like a file in the format safetensors: the length of the header in 8
// bytes, and then the header, which is a JSON object.
static bool is_safetensors(std::string_view bytes) {
  constexpr std::size_t length = 8, high = 4;  // bytes; a header has less than 4 GB
  return bytes.size() > length + 1 && bytes.substr(length).starts_with("{\"") &&
         bytes.substr(high, length - high) == std::string_view("\0\0\0\0", length - high);
}

void check_is_text(std::string_view bytes, const std::string& name) {
  if (is_safetensors(bytes)) {
    const fs::path parent = fs::path(name).parent_path(), folder = parent.empty() ? "." : parent;
    const bool in_run = exists(name) && exists((folder / "config.json").string());  // standard input is in no folder
    fail(ErrorKind::unsupported_format,
         fmt::format("{} is a trained model (safetensors); text in UTF-8 is needed here. To use the model, name its "
                     "folder: --run {}",
                     name, in_run ? folder.string() : "FOLDER"));
  }
  if (bytes.starts_with("%PDF-"))
    fail(ErrorKind::unsupported_format,
         fmt::format("{} is a PDF document. First extract its text, for example with pdftotext", name));
  using namespace std::string_view_literals;
  for (const auto& [begin, what] : {std::pair{"\x89PNG\r\n"sv, "a picture (PNG)"},
                                    {"\xff\xd8\xff"sv, "a picture (JPEG)"},
                                    {"GIF8"sv, "a picture (GIF)"},
                                    {"\x93NUMPY"sv, "an array of NumPy"},
                                    {"PAR1"sv, "a table of Parquet"},
                                    {"SQLite format 3\0"sv, "a database of SQLite"}})
    if (bytes.starts_with(begin))
      fail(ErrorKind::unsupported_format, fmt::format("{} is {}; text in UTF-8 is needed here", name, what));
  const auto how = compressed(bytes);
  if (!how) return;
  const char* sheet = "a spreadsheet. Save it as CSV in UTF-8, with the tab as separator";
  const char* document = "a document of an office program. Save it as plain text in UTF-8";
  static const std::map<std::string, const char*> documents{
      {".xlsx", sheet}, {".ods", sheet}, {".docx", document}, {".odt", document}};
  if (const auto found = documents.find(fs::path(name).extension().string()); found != documents.end())
    fail(ErrorKind::unsupported_format, fmt::format("{} is {}", name, found->second));
  fail(ErrorKind::unsupported_format,
       fmt::format("{} is compressed by {}. Decompress it first: {}", name, how->by,
                   exists(name)
                       ? fmt::format("{} {}. A file that gzip compressed can be read directly", how->command, name)
                       : fmt::format("{} FILE | ...", how->to_output)));
}

// redirected returns " FILE > NEW" for a regular file. This is the end of a command that converts the file. It returns
// "" for standard input.
static std::string redirected(const std::string& name) {
  std::error_code none;
  return fs::is_regular_file(name, none) ? fmt::format(" {} > NEW", name) : "";
}

std::string clean_line(std::string line, const std::string& name, std::size_t number, bool ended) {
  if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  if (number == 1) check_is_text(line, name);
  if (number == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
    fail(ErrorKind::bad_data, fmt::format("{}:1: the text is in UTF-16, which Windows programs call \"Unicode\". "
                                          "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8{}",
                                          name, redirected(name)));
  if (ended && line.ends_with('\r')) line.pop_back();
  if (const std::size_t nul = line.find('\0'); nul != std::string::npos) {
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: the line has a NUL byte (column {}), so this is not a text file in UTF-8. If everything "
                     "else is text, this command removes such bytes: tr -d '\\0' < {} > NEW",
                     name, number, nul + 1, redirected(name).empty() ? "FILE" : name));
  }
  if (const std::size_t cr = line.find('\r'); cr != std::string::npos) {
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: the line contains a carriage return (byte {}). Old Macs used this character as the line "
                     "end. Convert the file, for example with tr '\\r' '\\n'",
                     name, number, cr + 1));
  }
  if (const auto at = invalid_utf8(line)) {
    fail(ErrorKind::bad_data,
         fmt::format("{}:{}: the line is not valid UTF-8 (byte 0x{:02x} at column {}). Convert the file, for example "
                     "with iconv -f LATIN1 -t UTF-8{}",
                     name, number, static_cast<unsigned char>(line[*at]), *at + 1, redirected(name)));
  }
  return line;
}

std::vector<std::string> read_lines(const std::string& path) {
  LineLimit limit(path);
  std::string bytes = read_all(path, &limit);
  if (is_gzip(bytes)) bytes = gunzip(bytes, path);
  else check_is_text(bytes, path);
  if (bytes.empty())
    fail(ErrorKind::bad_data, fmt::format("{} is empty. Write text in UTF-8, with one item per line", path));
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.push_back(clean_line(bytes.substr(begin, end - begin), path, lines.size() + 1, end < bytes.size()));
    begin = end + 1;
  }
  return lines;
}

FileWriter::FileWriter(const std::string& path) : path_(path), target_(followed(path)) {
  if (const auto stream = stream_of(path)) {
    fd_ = ::fcntl(*stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd_ < 0) cannot_write(path, errno);
    return;
  }
  if (path == "-")
    fail(ErrorKind::wrong_usage,
         "cannot write to \"-\". For standard output, use /dev/stdout. For a file named -, use ./-");
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    fail(ErrorKind::io_error, fmt::format("cannot write {}, because it is a folder. Give a file name", path));
  if (exists && !S_ISREG(info.st_mode)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) cannot_write(path, errno);
    return;
  }
  if (exists) target_ = fs::canonical(path).string();
  const fs::path place(target_);
  remove_leftovers(place.has_parent_path() ? place.parent_path().string() : ".", place.filename().string());
  open_beside(target_, exists ? info.st_mode & 07777 : 0666, fd_, temporary_);
  if (fd_ < 0) {
    const int error = errno;
    forget_temporary(temporary_.c_str());
    cannot_write(path, error);
  }
  if (exists && ::fchmod(fd_, info.st_mode & 07777) != 0) stop(errno);
}

FileWriter::~FileWriter() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget_temporary(temporary_.c_str());
}

void FileWriter::stop(int error) {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget_temporary(temporary_.c_str());
  temporary_.clear();
  cannot_write(path_, error);
}

void FileWriter::write(std::string_view bytes) {
  if (const int error = write_all(fd_, bytes); error != 0) stop(error);
}

void FileWriter::finish() {
  if (!temporary_.empty()) {
    if (::fsync(fd_) != 0) stop(errno);
    WriteGuard::check_now();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) stop(errno);
    forget_temporary(temporary_.c_str());
    temporary_.clear();
    // The new name is on disk only after its folder is on disk. Some file systems cannot write a folder to disk. This
    // error is ignored, because the file is complete anyway.
    const fs::path folder = fs::path(target_).parent_path();
    const Descriptor parent(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (parent.fd >= 0) ::fsync(parent.fd);
  }
  ::close(std::exchange(fd_, -1));
}

static const std::string& checked_not_read(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && read_files().has(info))
    fail(ErrorKind::wrong_usage,
         fmt::format(
             "{}: this program reads this file, and would overwrite it with its output. Name another output file",
             path));
  return path;
}

// No program compresses its output.
static const std::string& checked_output(const std::string& path) {
  if (path.ends_with(".gz"))
    fail(ErrorKind::wrong_usage,
         fmt::format("cannot write {}: this program does not compress; write {}, and then run gzip on it", path,
                     path.substr(0, path.size() - 3)));
  return checked_not_read(path);
}

OutputFile::OutputFile(const std::string& path) : writer_(checked_output(path)) {}

void remove_leftovers(const std::string& folder, std::string_view of) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(of)) continue;
    const std::optional<int> process = process_of_leftover(name);
    if (!process || (!of.empty() && name.rfind(temporary_mark) != of.size())) continue;
    const bool folder_of_ours = entry.is_directory(none) && !entry.is_symlink(none);
    if (!folder_of_ours && (!entry.is_regular_file(none) || entry.is_symlink(none))) continue;
    if (is_abandoned(entry.path().string(), *process)) fs::remove_all(entry.path(), none);
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  write_file(path, std::span<const std::string_view>(&bytes, 1));
}

void write_file(const std::string& path, std::span<const std::string_view> pieces) {
  FileWriter file(path);
  for (const std::string_view piece : pieces) file.write(piece);
  file.finish();
}

void write_new_file(const std::string& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.fd < 0) cannot_write(path, errno);
  if (const int error = write_all(file.fd, bytes); error != 0) cannot_write(path, error);
}

void sync_all(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.fd < 0 || ::syncfs(file.fd) != 0) cannot_write(folder, errno);
}

TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough) {
  TextSize size;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return size;
  std::vector<char> block(std::size_t{1} << 18);
  bool in_word = false;
  for (int got = 0; (got = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    std::size_t lines = 0, words = 0;
    for (int i = 0; i < got; ++i) {
      const char c = block[static_cast<std::size_t>(i)];
      const bool parts = c == ' ' || c == '\t' || c == '\n';
      lines += c == '\n';
      words += in_word && parts;
      in_word = !parts;
    }
    size.bytes += got;
    size.lines += static_cast<double>(lines);
    size.words += static_cast<double>(words);
    if (enough(size)) break;
  }
  size.lines += in_word, size.words += in_word;
  return size;
}

}  // namespace softalign::data
