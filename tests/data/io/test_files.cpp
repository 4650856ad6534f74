#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "data/io/files.h"
#include "data/io/gzip.h"
#include "data/io/line_limit.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"
#include "data/io/temporary_names.h"
#include "data/io/unicode.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::user_error;
using Lines = std::vector<std::string>;

TEST_CASE("lines are read without byte order mark, CR and LF, even if the last one has no end") {
  const TemporaryFolder folder;
  CHECK(read_lines(folder.file("a", "\xEF\xBB\xBFun\r\n\r\ndeux\n")) == Lines{"un", "", "deux"});
  CHECK(read_lines(folder.file("b", "un\ndeux")) == Lines{"un", "deux"});
  CHECK(read_lines(folder.file("c", "\n")) == Lines{""});
  CHECK(read_lines(folder.file("d", "ab\n\xEF\xBB\xBFx\n")) == Lines{"ab", "\xEF\xBB\xBFx"});
}

TEST_CASE("bad input: a carriage return that is not part of a CRLF") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& bytes) {
    return user_error([&] { read_lines(folder.file("mac", bytes)); });
  };
  CHECK(has(said("i love you\rlook it up\r"),
            "mac:1: the line contains a carriage return (byte 11). Old Macs used this character as the line end. "
            "Convert the file, for example with tr '\\r' '\\n'"));
  CHECK(has(said("un\r\nde\rux\r\n"),
            "mac:2: the line contains a carriage return (byte 3). Old Macs used this character as the line end. "
            "Convert the file, for example with tr '\\r' '\\n'"));
  CHECK(has(said("un\r\r\n"),
            "mac:1: the line contains a carriage return (byte 3). Old Macs used this character as the line end. "
            "Convert the file, for example with tr '\\r' '\\n'"));
  CHECK(has(said("un\ndeux\r"),
            "mac:2: the line contains a carriage return (byte 5). Old Macs used this character as the line end. "
            "Convert the file, for example with tr '\\r' '\\n'"));  // no LF follows the CR
  CHECK(said("un\r\ndeux\r\n\r\n") == "");
}

TEST_CASE("bad input: compressed by another program than gzip") {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const std::string path = folder.file("t");
  for (const auto& [bytes, by, command] : {std::tuple{"\xfd\x37zXZ\0\0\x04\xe6"s, "xz", "xz -dk"},
                                           {"BZh91AY&SY\x8e\0"s, "bzip2", "bzip2 -dk"},
                                           {"BZh9\x17rE8P\x90\0\0"s, "bzip2", "bzip2 -dk"},
                                           {"\x28\xb5\x2f\xfd\x04X\n"s, "zstd", "zstd -d"},
                                           {"PK\3\4\n\0"s, "zip", "unzip"},
                                           {"7z\xbc\xaf\x27\x1c\0"s, "7z", "7z x"},
                                           {"LZIP\1\n"s, "lzip", "lzip -dk"}}) {
    folder.file("t", bytes);
    CHECK(user_error([&] { read_lines(path); }) == path + " is compressed by " + by +
                                                       ". Decompress it first: " + command + " " + path +
                                                       ". A file that gzip compressed can be read directly");
  }
  CHECK(user_error([] { clean_line("\x1f\x8b\x08", "standard input", 1); }) ==
        "standard input is compressed by gzip. Decompress it first: gzip -dc FILE | ...");
  CHECK(read_lines(folder.file("a", "BZh9 is a word\nLZIP\n")) == Lines{"BZh9 is a word", "LZIP"});
}

TEST_CASE("bad input: a missing file") {
  const std::string message = user_error([] { read_lines("/nowhere/train.tsv"); });
  CHECK(has(message, "/nowhere/train.tsv"));
  CHECK(has(message, "No such file"));
}

TEST_CASE("the message about a missing file names the mistake in its name") {
  const TemporaryFolder folder;
  folder.file("train.tsv", "x");
  const auto said = [](const std::string& path) { return user_error([&] { read_lines(path); }); };
  for (const char* name : {"\u201ctrain", "train\u201d", "\u2018train", "train\u2019"})
    CHECK(has(said(folder.file(name)), "its quotation marks are typographic ones: type \" or '"));
  CHECK(has(said(folder.file("trian.tsv")), "did you mean " + folder.file("train.tsv") + "?"));
  CHECK(has(said(folder.file(std::string(101, 't'))), "; check the spelling and the folder you are in"));
  CHECK(has(said("no file of this folder has this name"), "; check the spelling and the folder you are in"));
  CHECK(has(user_error([] { read_bytes("-"); }), "a file of a run cannot come from standard input"));
}

TEST_CASE("bad input: a folder instead of a file") {
  const TemporaryFolder folder;
  const std::string message = user_error([&] { read_lines(folder.path.string()); });
  CHECK(has(message, folder.path.string()));
  CHECK(has(message, "it is a folder"));
  std::filesystem::create_directory(folder.file("a-folder"));
  folder.file(".hidden", "x"), folder.file("b", "x"), folder.file("c", "x");
  CHECK(user_error([&] {
          read_lines(folder.path.string());
        }).ends_with("give the name of a file in it: " + folder.file("b") + ", " + folder.file("c")));
}

TEST_CASE("an inaccessible file is not reported as missing") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.file("loop"), folder.file("loop"));
  CHECK(has(user_error([&] { exists(folder.file("loop")); }), "loop: Too many levels of symbolic links"));
  CHECK(!exists(folder.file("nothing")));
  CHECK(!exists(folder.file("file", "x") + "/in-a-file"));
  CHECK(exists(folder.path.string()));
}

TEST_CASE("reading of text without line ends stops at a limit") {
  CHECK(has(user_error([] { read_lines("/dev/zero"); }),
            "cannot read /dev/zero, because it is a device, which may have no end. Give the name of a file or a pipe"));
  CHECK(user_error([] { read_lines("/dev/null"); }).starts_with("/dev/null is empty"));  // it has an end
  LineLimit limit("text");
  limit.add("one\n" + std::string(longest_line, 'x'));
  CHECK(has(user_error([&] { limit.add("x"); }), "text:2: the line has more"));
  LineLimit ended("text");
  for (int i = 0; i < 3; ++i) ended.add(std::string(longest_line, 'x') + "\n");
}

TEST_CASE("lines are read from a terminal until the user ends the input") {
  const int user = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE((user >= 0 && ::grantpt(user) == 0 && ::unlockpt(user) == 0));
  const std::string terminal = ::ptsname(user);
  const int held = ::open(terminal.c_str(), O_RDONLY | O_NOCTTY);
  REQUIRE(write_all(user, "un\ndeux\n\x04") == 0);  // Ctrl-D
  CHECK(read_lines(terminal) == Lines{"un", "deux"});
  ::close(held), ::close(user);
}

TEST_CASE("bad input: an empty file") {
  const TemporaryFolder folder;
  CHECK(has(user_error([&] { read_lines(folder.file("empty", "")); }),
            "empty is empty. Write text in UTF-8, with one item per line"));
}

TEST_CASE("bad input: a trained model or UTF-16 instead of text") {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const auto said = [&](const std::string& bytes) {
    return user_error([&] { read_lines(folder.file("text", bytes)); });
  };
  for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"}) CHECK(has(said(mark + "a"), "text:1: the text is in UTF-16"));
  const std::string model = "\x09\0\0\0\0\0\0\0{\"a\": 1}"s;
  CHECK(said(model).ends_with("name its folder: --run FOLDER"));
  CHECK(read_lines(folder.file("words", "eight...{\"a\": 1}")) == Lines{"eight...{\"a\": 1}"});
  folder.file("config.json", "{}");
  CHECK(said(model).ends_with("name its folder: --run " + folder.path.string()));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  const std::string here = user_error([&] { read_lines("text"); });
  const std::string piped = user_error([&] { check_is_text(model, "standard input"); });
  std::filesystem::current_path(before);
  CHECK(here.ends_with("name its folder: --run ."));
  CHECK(piped.ends_with("name its folder: --run FOLDER"));
}

TEST_CASE("bad input: invalid UTF-8 is named with file, line and column") {
  const TemporaryFolder folder;
  for (const std::string bad : {"caf\xE9", "caf\xC0\xAF", "caf\xED\xA0\x80", "caf\xF4\x90\x80\x80", "caf\xC3"}) {
    const std::string message = user_error([&] { read_lines(folder.file("latin", "good\nété\n" + bad + "\n")); });
    CHECK(has(message, "latin:3: the line is not valid UTF-8"));
    CHECK(has(message, "column 4"));
  }
}

TEST_CASE("bad input: a NUL byte is named with file and line") {
  const TemporaryFolder folder;
  CHECK(has(user_error([&] { read_lines(folder.file("binary", std::string("a\nb\0c\n", 6))); }),
            "binary:2: the line has a NUL byte"));
}

TEST_CASE("a gzip file with one or several members is read as text under any name") {
  const TemporaryFolder folder;
  const std::string zipped = gzip("un\ndeux\n");
  CHECK(read_lines(folder.file("a.gz", zipped)) == Lines{"un", "deux"});
  CHECK(read_lines(folder.file("b.tsv", zipped + zipped)) == Lines{"un", "deux", "un", "deux"});
  CHECK(read_lines(folder.file("plain.gz", "un\n")) == Lines{"un"});
  CHECK(has(user_error([&] { read_lines(folder.file("latin.gz", gzip("un\ncaf\xE9\n"))); }),
            "latin.gz:2: the line is not valid UTF-8"));
  const std::string large(3000000, 'x');  // longer than the blocks in which it is read
  CHECK(read_lines(folder.file("large.gz", gzip(large))) == Lines{large});
}

TEST_CASE("bad input: gzip data that expands to an endless line") {
  const TemporaryFolder folder;
  const std::string path = folder.file("bomb.gz", gzip("ab\n" + std::string(3 * longest_line, 'x')));
  CHECK(has(user_error([&] { read_lines(path); }), "bomb.gz:2: the line has more than 16 MB"));
}

TEST_CASE("bad input: an error names gzip data that is truncated or damaged at any byte") {
  const TemporaryFolder folder;
  const std::string zipped = gzip("un\ndeux\n");
  for (size_t size = 2; size < zipped.size(); ++size) {
    const std::string path = folder.file("short.gz", zipped.substr(0, size));
    CHECK(has(user_error([&] { read_lines(path); }), path + ": the gzip data are cut short at byte"));
  }
  for (size_t at : {2, 10, 12, 20, 24}) {  // positions of the method, text, checksum, length
    std::string bytes = zipped;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x15);
    const std::string path = folder.file("damaged.gz", bytes);
    CHECK(has(user_error([&] { read_lines(path); }), path + ": the gzip data are damaged at byte"));
  }
  const std::string path = folder.file("more.gz", zipped + "more");
  CHECK(has(user_error([&] { read_lines(path); }), path + ": the gzip data are damaged at byte"));
}

TEST_CASE("a written file has exactly the given bytes, keeps its permissions and leaves no other file") {
  const TemporaryFolder folder;
  const std::string bytes("a\0\xFF\n", 4);
  write_file(folder.file("new"), bytes);
  CHECK(read_bytes(folder.file("new")) == bytes);

  const std::string old = folder.file("old", "before");
  REQUIRE(chmod(old.c_str(), 0666) == 0);  // more rights than the usual umask leaves
  std::filesystem::create_symlink(old, folder.file("link"));
  write_file(folder.file("link"), "after");
  CHECK(read_bytes(old) == "after");
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(std::filesystem::status(old).permissions() == std::filesystem::perms{0666});
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 3);
}

TEST_CASE("bad input: an output folder that cannot be written") {
  const TemporaryFolder folder;
  const std::string absent = user_error([&] { write_file(folder.file("absent/model"), "x"); });
  CHECK(has(absent, "cannot write"));
  CHECK(has(absent, "absent does not exist. Create it first"));
  CHECK(has(user_error([&] { write_file(folder.file("file", "") + "/model", "x"); }), "Not a directory"));
  CHECK(has(user_error([&] { write_file(folder.path.string(), "x"); }), "it is a folder"));
  CHECK(has(user_error([] { write_file("/dev/full", "x"); }),
            "The disk is full. Free some space, or choose another folder"));
  // Nobody may create a file in /sys: the system refuses it, or has mounted it read-only.
  CHECK(user_error([] {
          write_file("/sys/model", "x");
        }).ends_with(". Choose a folder that you may write to instead of /sys"));
}

TEST_CASE("a write that fails halfway leaves only the old file") {
  const TemporaryFolder folder;
  const std::string old = folder.file("old", "before");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = user_error([&] { write_file(old, std::string(5000, 'x')); });
  const std::string of_new = user_error([&] { write_new_file(folder.file("new"), std::string(5000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(has(message, "cannot write"));
  CHECK(has(of_new, "new: File too large. The file would be larger than a file may be here (see ulimit -f)"));
  CHECK(read_bytes(old) == "before");
  CHECK(std::filesystem::remove(folder.file("new")));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("the signal handler knows the first 32 temporary files") {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (int i = 0; i < 33; ++i) names.push_back(folder.file(fmt::format("{}", i), "text"));
  for (const std::string& name : names) register_temporary(name.c_str());
  remove_temporaries();
  for (const std::string& name : names) forget_temporary(name.c_str());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  CHECK(exists(names.back()));
  remove_temporaries();
  CHECK(exists(names.back()));
}

TEST_CASE("the size of a text is counted in blocks, until there is enough") {
  const TemporaryFolder folder;
  const auto never = [](const TextSize&) { return false; };
  for (const std::string& path :
       {folder.file("a", "one  two\tthree\nfour"), folder.file("b", gzip("one  two\tthree\nfour"))}) {
    const TextSize size = text_size(path, never);
    CHECK(size.bytes == 19);
    CHECK(size.lines == 2);
    CHECK(size.words == 4);
  }
  CHECK(text_size(folder.file("c", "one\n\n"), never).lines == 2);
  CHECK(text_size(folder.file("missing"), never).bytes == 0);
  const std::string large = folder.file("d", std::string(600000, 'x'));
  CHECK(text_size(large, never).bytes == 600000);
  CHECK(text_size(large, [](const TextSize&) { return true; }).bytes < 600000);
}

TEST_CASE("a file that the user named may be a pipe, and has a limit") {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto read = [&](const char* text) {
    std::thread writer([&] { std::ofstream(pipe) << text; });
    std::string found;
    const std::string error = user_error([&] { found = read_named(pipe, 4); });
    writer.join();
    return error.empty() ? found : error;
  };
  CHECK(read("four") == "four");
  CHECK(read("fives") == pipe + ": the file has more than 4 bytes, which is too much for a file of this kind");
}

TEST_CASE("the mark of a folder is removed without the other files, and only the program's own mark counts") {
  const TemporaryFolder folder;
  const std::string marked = folder.file("marked"), mark = marked + "/.softalign";
  make_marked_folder(marked);
  const std::string text = read_bytes(mark);
  put_file(marked + "/a", "text");
  put_file(mark, std::string(text.size(), 'x'));
  CHECK_FALSE(is_marked_folder(marked));
  remove_mark(marked);
  CHECK(exists(mark));
  put_file(mark, text);
  CHECK(is_marked_folder(marked));
  remove_mark(marked);
  CHECK_FALSE(exists(mark));
  CHECK(read_bytes(marked + "/a") == "text");
}

TEST_CASE("gzip: a missing file has no first line, and 2 GiB are too much at once") {
  CHECK(first_line("/nowhere/train.tsv.gz").empty());
  const std::string_view too_large("", (std::size_t{1} << 31) + 1);  // gzip reads only its size
  CHECK_THROWS_WITH(gzip(too_large), "gzip: there are more than 2 GiB to compress");
}

TEST_CASE("UTF-8 is decoded and encoded, and invalid bytes become U+FFFD") {
  CHECK(decode_utf8("aé€😀") == U"aé€😀");
  CHECK(encode_utf8(U"aé€😀") == "aé€😀");
  CHECK(decode_utf8("a\xE9z") == U"a\uFFFDz");
  CHECK(invalid_utf8("a\xE9z") == std::optional<size_t>(1));
  CHECK_FALSE(invalid_utf8("aé€😀").has_value());
  CHECK((is_space(U'\u00A0') && is_space(U'\u202F') && is_space(U'\u3000') && is_space(U'\t')));
  CHECK_FALSE((is_space(U'a') || is_space(U'\u200B')));
}

TEST_CASE("spaces and tabs separate words, and other white space does not") {
  for (const char32_t point : U" \t") CHECK((point == 0 || parts_words(point)));
  for (const char32_t point : U"\v\f\u001C\u0085\u00A0\u1680\u2003\u200B\u2028\u2029\u202F\u3000\uFEFF")
    CHECK_FALSE(parts_words(point));
}

TEST_CASE("display width counts terminal columns") {
  CHECK(display_width("été") == 3);
  CHECK(display_width("e\u0301te\u0301") == 3);
  CHECK(display_width("漢字") == 4);
  CHECK(display_width("") == 0);
}

TEST_CASE("a file that is written in parts appears only when it is finished") {
  const TemporaryFolder folder;
  const std::string path = folder.file("f", "old");
  {
    FileWriter file(path);
    file.write("new ");
    file.write("text");
    CHECK(read_bytes(path) == "old");
    file.finish();
    CHECK(read_bytes(path) == "new text");
  }
  {
    FileWriter given_up(path);
    given_up.write("half");
  }
  CHECK(read_bytes(path) == "new text");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);  // no temporary file remains
}

TEST_CASE("temporary files are deleted only if their process has ended and nobody has them open") {
  const TemporaryFolder folder;
  const std::string ended = "99999999", own = std::to_string(::getpid()),
                    mark(temporary_mark);  // larger than any process id
  const std::vector<std::string> left{"a" + mark + ended + "-1", "a" + mark + ended + "-23"};
  const std::vector<std::string> kept{"a",
                                      "a" + mark + own + "-1",
                                      "a" + mark + "1-1",  // process 1 is still running
                                      "a" + mark + ended,
                                      "a" + mark + "x-1",
                                      "a.tmp" + ended + "-1",
                                      "a" + mark + ended + "-x",
                                      "ab" + mark + ended + "-1",
                                      "b" + mark + ended + "-1"};
  for (const auto& names : {left, kept})
    for (const std::string& name : names) folder.file(name, "text");
  const std::string held = folder.file("a" + mark + ended + "-4", "by a process of another machine");
  const int fd = ::open(held.c_str(), O_RDONLY);
  REQUIRE(::flock(fd, LOCK_EX) == 0);
  remove_leftovers(folder.path.string(), "a");
  CHECK(exists(held));
  ::close(fd);
  for (const std::string& name : left) CHECK_FALSE(exists(folder.file(name)));
  for (const std::string& name : kept) CHECK(exists(folder.file(name)));
  remove_leftovers(folder.path.string());
  CHECK_FALSE(exists(folder.file("ab" + mark + ended + "-1")));
  CHECK_FALSE(exists(folder.file("b" + mark + ended + "-1")));
  CHECK(exists(folder.file("a" + mark + own + "-1")));
  CHECK(exists(folder.file("a.tmp" + ended + "-1")));  // another name pattern, so the file belongs to someone else
}

TEST_CASE("a link or a pipe with the name of a temporary file is not opened and stays") {
  const TemporaryFolder folder;
  const std::string name = folder.file(fmt::format("a{}99999999-1", temporary_mark));
  SECTION("the name belongs to a pipe") { REQUIRE(::mkfifo(name.c_str(), 0600) == 0); }
  SECTION("the name belongs to a link") { std::filesystem::create_symlink(folder.file("b", "text"), name); }
  SECTION("the name belongs to a link to a folder") { std::filesystem::create_directory_symlink(folder.path, name); }
  remove_leftovers(folder.path.string());
  CHECK(is_there(name));
}

TEST_CASE("a file without a folder in its name is written to the current folder") {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  write_file("here", "text");
  const std::string message = user_error([] { write_file(std::string(300, 'a'), "text"); });
  std::filesystem::current_path(before);
  CHECK(read_bytes(folder.file("here")) == "text");
  CHECK(has(message, "File name too long"));
}

TEST_CASE("bad output: an error names a file that cannot be opened or written to disk") {
  const TemporaryFolder folder;
  const std::string socket = folder.file("socket");
  REQUIRE(::mknod(socket.c_str(), S_IFSOCK | 0600, 0) == 0);
  CHECK(has(user_error([&] { write_file(socket, "text"); }), "cannot write " + socket + ": No such device"));
  CHECK(has(user_error([] { write_file("/dev/fd/987", "text"); }), "cannot write /dev/fd/987: Bad file descriptor"));
  const std::string circle = folder.file("circle");
  std::filesystem::create_symlink("circle", circle);
  CHECK(has(user_error([&] { write_file(circle, "text"); }), "cannot write " + circle + ": Too many levels"));
  CHECK(std::filesystem::is_symlink(circle));
  CHECK(has(user_error([] { sync_all("/nowhere"); }), "cannot write /nowhere: No such file"));
}

TEST_CASE("the names of standard error refer to the open stream") {
  const TemporaryFolder folder;
  for (const std::string name : {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}) {
    const std::string path = folder.file("errors", "before\n");
    const int before = ::dup(STDERR_FILENO), file = ::open(path.c_str(), O_WRONLY | O_APPEND);
    ::dup2(file, STDERR_FILENO);
    write_file(name, "after\n");
    ::dup2(before, STDERR_FILENO);
    ::close(before), ::close(file);
    INFO(name);
    CHECK(read_bytes(path) == "before\nafter\n");  // if it were opened again, the file would start with "after"
  }
}

TEST_CASE("a file that is not installed keeps its name") {
  for (const std::string name : {"data/nowhere", "elsewhere/train"}) CHECK(shipped(name) == name);
}

TEST_CASE("bad input: a file that cannot be read to its end") {
  CHECK(has(user_error([] { read_bytes("/proc/self/mem"); }), "cannot read /proc/self/mem: Input/output error"));
}

TEST_CASE("a write guard checks the complete file and keeps the old one if it throws") {
  const TemporaryFolder folder;
  const std::string path = folder.file("f", "old");
  {
    const WriteGuard guard([] { throw std::runtime_error("not here"); });
    CHECK(user_error([&] { write_file(path, "new"); }) == "not here");
  }
  CHECK(read_bytes(path) == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
  write_file(path, "new");
  CHECK(read_bytes(path) == "new");
}
