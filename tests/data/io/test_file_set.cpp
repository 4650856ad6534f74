// Files that belong together: what a program that was killed has left is moved, or goes.
#include "data/io/file_set.h"

#include <filesystem>

#include "data/io/files.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace data;
namespace fs = std::filesystem;

TEST_CASE("files that were whole when their program was killed are moved, those that were not go") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  fs::create_directories(folder.path / ".new" / "pictures");
  folder.file(".new/t.tsv", "new");
  folder.file(".new/pictures/1", "pixels");
  folder.file("t.tsv", "old");
  fs::create_directories(folder.path / ".new.part");
  folder.file(".new.part/u.tsv", "half");

  CHECK(file_set_waits(path));
  end_file_set(path);
  CHECK_FALSE(file_set_waits(path));
  CHECK(read_bytes(folder.file("t.tsv")) == "new");
  CHECK(read_bytes(folder.file("pictures/1")) == "pixels");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 2);

  CHECK_FALSE(file_set_waits(folder.file("nowhere")));
  end_file_set(folder.file("nowhere"));
}

TEST_CASE("where one file cannot be written none is replaced, and nothing of them is left") {
  const TemporaryFolder folder;
  folder.file("a", "old");
  CHECK_THAT(testing::user_error([&] {
               write_file_set(folder.path.string(), {{"a", "new"}, {"a/b", "no folder"}});
             }),
             Catch::Contains("cannot write") && Catch::Contains(".new.part/a"));
  CHECK(read_bytes(folder.file("a")) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}
