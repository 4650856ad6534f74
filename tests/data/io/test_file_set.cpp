// Files that belong together are replaced together. The files that a killed program has left are either renamed to
// their final names or removed.
#include "data/io/file_set.h"

#include <filesystem>

#include "data/io/files.h"
#include "data/io/own_files.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
namespace fs = std::filesystem;

TEST_CASE("files that were complete when their program was killed are moved, and incomplete ones are deleted") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  make_marked_folder(folder.file(".new"));
  fs::create_directories(folder.path / ".new" / "pictures");
  folder.file(".new/t.tsv", "new");
  folder.file(".new/pictures/1", "pixels");
  folder.file("t.tsv", "old");
  make_marked_folder(folder.file(".new.part"));
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

TEST_CASE("if one file cannot be written, no file is replaced and nothing remains") {
  const TemporaryFolder folder;
  folder.file("a", "old");
  CHECK_THAT(testing::user_error([&] {
               write_file_set(folder.path.string(), {{"a", "new"}, {"a/b", "no folder"}});
             }),
             Catch::Contains("cannot write") && Catch::Contains(".new.part/a"));
  CHECK(read_bytes(folder.file("a")) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("folders with these names but without a mark are not moved, deleted or changed") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  const std::string name = GENERATE(".new", ".new.part");
  fs::create_directories(folder.path / name);
  SECTION("the mark's file is missing") {}
  SECTION("the mark's file has another text") { folder.file(name + "/.softalign", "mine"); }
  folder.file(name + "/t.tsv", "mine");
  folder.file("t.tsv", "old");
  CHECK_FALSE(file_set_waits(path));
  end_file_set(path);
  CHECK_THAT(
      testing::user_error([&] {
        write_file_set(path, {{"t.tsv", "new"}});
      }),
      Catch::Contains(name) &&
          Catch::Contains("already exists and softalign did not write it, so it is not overwritten. Move it to another "
                          "place. If an earlier make_corpus was stopped and left it, first move its files to"));
  CHECK(read_bytes(folder.file(name + "/t.tsv")) == "mine");
  CHECK(read_bytes(folder.file("t.tsv")) == "old");
}

TEST_CASE("targets of links with these names are not changed") {
  const TemporaryFolder folder, other;
  make_marked_folder(other.file("new"));
  other.file("new/t.tsv", "mine");
  fs::create_symlink(other.path / "new", folder.path / ".new");
  end_file_set(folder.path.string());
  CHECK(read_bytes(other.file("new/t.tsv")) == "mine");
  CHECK_FALSE(is_there(folder.file("t.tsv")));
}
