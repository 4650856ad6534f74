// Every error has a kind: why a file, a corpus or a picture is refused, independently of the message.
#include "data/corpus/readers.h"
#include "data/io/error.h"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "data/corpus/corpus.h"
#include "data/corpus/vocabulary.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/line_limit.h"
#include "data/io/own_files.h"
#include "data/io/safetensors.h"
#include "data/pictures/captions.h"
#include "data/pictures/picture_file.h"
#include "tests/catch.h"
#include "tests/error_kind.h"
#include "tests/temporary.h"

using namespace softalign::data;
using testing::kind_thrown;
using testing::name_of;

namespace {

std::string with_flipped_bit(std::string bytes, std::size_t at) {
  bytes.at(at) = static_cast<char>(bytes.at(at) ^ 1);
  return bytes;
}

}  // namespace

TEST_CASE("error: an error has a kind and a message, and is a std::runtime_error", "[error]") {
  const Error error(ErrorKind::damaged_file, "model.safetensors: cut short");
  CHECK(name_of(error.kind()) == "damaged file");
  CHECK(error.what() == std::string("model.safetensors: cut short"));
  CHECK_THROWS_AS(fail("x.tsv:1", "no tab"), std::runtime_error);
}

TEST_CASE("error: an errno and exceptions of other libraries have kinds", "[error]") {
  CHECK(name_of(kind_of_errno(ENOENT)) == "missing file");
  CHECK(name_of(kind_of_errno(ENOTDIR)) == "missing file");
  CHECK(name_of(kind_of_errno(EACCES)) == "io error");
  CHECK(name_of(kind_of_errno(ENOSPC)) == "io error");
  CHECK(name_of(kind_of_errno(ENOMEM)) == "out of memory");
  const auto system = [](std::errc code) {
    return std::filesystem::filesystem_error("file_size", std::make_error_code(code));
  };
  CHECK(name_of(kind_of(system(std::errc::no_such_file_or_directory))) == "missing file");
  CHECK(name_of(kind_of(system(std::errc::permission_denied))) == "io error");
  CHECK(name_of(kind_of(std::bad_alloc())) == "out of memory");
  CHECK(name_of(kind_of(std::out_of_range("at"), ErrorKind::damaged_file)) == "damaged file");
  CHECK(name_of(kind_of(Error(ErrorKind::io_error, ""), ErrorKind::damaged_file)) == "io error");
}

TEST_CASE("error: a missing file and a file that the system refuses have different kinds", "[error]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("text", "a\n"), nowhere = folder.file("nowhere");
  CHECK(kind_thrown([&] { read_bytes(nowhere); }) == "missing file");
  CHECK(kind_thrown([&] { read_lines(nowhere); }) == "missing file");
  CHECK(kind_thrown([&] { read_lines(file + "/below"); }) == "missing file");
  CHECK(kind_thrown([&] { write_file(nowhere + "/below", ""); }) == "missing file");
  CHECK(kind_thrown([&] { read_bytes(folder.path.string()); }) == "io error");
  CHECK(kind_thrown([&] { read_bytes("/dev/zero"); }) == "io error");
  CHECK(kind_thrown([&] { read_lines("/dev/zero"); }) == "io error");
  CHECK(kind_thrown([&] { exists(folder.file(std::string(300, 'a'))); }) == "io error");
  CHECK(kind_thrown([&] { write_file(folder.path.string(), ""); }) == "io error");
  CHECK(kind_thrown([&] { write_file("/dev/full", "a"); }) == "io error");
  CHECK(kind_thrown([&] { check_own_file(folder.path.string()); }) == "io error");
  CHECK(kind_thrown([&] { make_marked_folder(file); }) == "io error");
}

TEST_CASE("error: unexpected text is bad data, and compressed text may be damaged", "[error]") {
  const TemporaryFolder folder;
  const auto kind_of_text = [&](const std::string& bytes) {
    return kind_thrown([&] { read_lines(folder.file("text", bytes)); });
  };
  CHECK(kind_of_text("a\n") == "no error");
  CHECK(kind_of_text("") == "bad data");
  CHECK(kind_of_text("caf\xe9\n") == "bad data");
  CHECK(kind_of_text(std::string("a\0b\n", 4)) == "bad data");
  CHECK(kind_of_text("a\rb\n") == "bad data");
  CHECK(kind_of_text(std::string(longest_line + 1, 'a')) == "bad data");
  CHECK(kind_of_text("\x1f\x8b cut") == "damaged file");
  CHECK(kind_of_text(std::string("\xfd\x37zXZ\0", 6)) == "unsupported format");
}

TEST_CASE("error: a file of numbers, JSON or a vocabulary is damaged if it breaks its rules", "[error]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("numbers");
  const float numbers[] = {1, 2};
  const std::string_view bytes(reinterpret_cast<const char*>(numbers), sizeof numbers);
  write_safetensors(path, {{}, {{"w", Dtype::f32, {2}, bytes}}, nullptr});
  const std::string whole = read_bytes(path);
  const auto kind_of_file = [&](const std::string& changed) {
    return kind_thrown([&] { read_safetensors(folder.file("changed", changed)); });
  };
  CHECK(kind_of_file(whole) == "no error");
  // Only the checksum reveals this damage.
  CHECK(kind_of_file(with_flipped_bit(whole, whole.size() - 1)) == "damaged file");
  CHECK(kind_of_file(whole.substr(0, whole.size() - 1)) == "damaged file");
  CHECK(kind_of_file("") == "damaged file");
  CHECK(kind_thrown([&] { read_safetensors(folder.file("nowhere")); }) == "missing file");
  CHECK(kind_thrown([&] { write_safetensors(folder.file("no/folder"), {}); }) == "missing file");
  CHECK(kind_thrown([&] { parse_json("{"); }) == "damaged file");
  CHECK(kind_thrown([&] { parse_json(R"({"a": 1, "a": 2})", {.unique_names = true}); }) == "damaged file");
  CHECK(kind_thrown([&] { Vocabulary::load(folder.file("words", "a\n")); }) == "damaged file");
  CHECK(kind_thrown([&] { Vocabulary::load(folder.file("nowhere")); }) == "missing file");
}

TEST_CASE("error: the error of a corpus has the kind of its picture's error", "[error]") {
  const TemporaryFolder folder;
  const std::string picture = png({2, 2, std::vector<std::uint8_t>(12, 100)});
  folder.file("whole.png", picture);
  folder.file("cut.png", picture.substr(0, picture.size() / 2));
  folder.file("other.png", "GIF89a");
  folder.file("text.png", "no picture");
  const auto kind_of_line = [&](const std::string& line) {
    const std::string path = folder.file("captions.tsv", line + "\n");
    return kind_thrown([&] { read_captions(path, {4, 4, 2, 2}); });
  };
  CHECK(kind_of_line("whole.png\ta square") == "no error");
  CHECK(kind_of_line("nowhere.png\ta square") == "missing file");
  CHECK(kind_of_line("cut.png\ta square") == "damaged file");
  CHECK(kind_of_line("other.png\ta square") == "unsupported format");
  CHECK(kind_of_line("text.png\ta square") == "unsupported format");
  CHECK(kind_of_line("whole.png\ta square\t0,0,9,9-0") == "bad data");
  CHECK(kind_thrown([&] { read_tsv(folder.file("pairs.tsv", "no tab\n")); }) == "bad data");
  CHECK(kind_thrown([&] { read_tsv(folder.file("pairs.tsv", "a\tb\t0-7\n")); }) == "bad data");
}
