// A new run replaces an old one, which is restored if the new run never begins. One program at a time writes to a
// folder.
#include "apps/run/output_folder.h"

#include <map>

#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/safetensors.h"
#include "models/checkpoint.h"
#include "tests/catch.h"
#include "tests/folders.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Contains;
namespace fs = std::filesystem;

using Contents = std::map<std::string, std::string>;  // file name -> bytes, including files in subfolders

Contents contents(const fs::path& folder) {
  Contents files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[fs::relative(entry.path(), folder)] = data::read_bytes(entry.path());
  return files;
}

struct OldRun {
  TemporaryFolder temporary;
  RunFolder folder{temporary.path.string()};
  OldRun() {
    fs::copy(testing::source_folder() + "/tests/apps/run/old_run/run", temporary.path,
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    data::write_file(folder.file("epoch-1.safetensors"), data::read_bytes(folder.model()));
    data::write_file(folder.file("notes.txt"), "mine");
  }
  void begin_new() const {
    data::write_file(folder.config(), "new");
    data::write_file(folder.metrics(), "");
    data::write_file(folder.model(), "new, of an epoch whose state is not saved yet");
  }
};

}  // namespace

TEST_CASE("the old run is restored if the new run does not begin", "[run]") {
  const OldRun old;
  const Contents before = contents(old.folder.path);
  {
    const FolderLock lock(old.folder);
    const Replacement replaced(old.folder, lock);
    CHECK(run_files(old.folder).empty());
    old.begin_new();
  }
  CHECK(contents(old.folder.path) == before);
}

TEST_CASE("the old run is deleted when the new run has begun", "[run]") {
  const OldRun old;
  {
    const FolderLock lock(old.folder);
    Replacement replaced(old.folder, lock);
    old.begin_new();
    replaced.done();
  }
  CHECK(run_files(old.folder).size() == 3);
  CHECK(contents(old.folder.path).at("config.json") == "new");
  CHECK(contents(old.folder.path).at("notes.txt") == "mine");
  CHECK(!fs::exists(old.folder.file("replaced")));
}

TEST_CASE("a program killed at any moment of a replacement loses neither run", "[run]") {
  const OldRun old;
  const Contents before = contents(old.folder.path);
  const fs::path away = old.folder.file("replaced"), moving = old.folder.file("replaced.part");
  SECTION("while files are moved away") {
    data::make_marked_folder(moving);
    fs::rename(old.folder.model(), moving / "model.safetensors");
  }
  SECTION("all files are moved away and nothing is written") {
    data::make_marked_folder(moving);
    for (const std::string& name : run_files(old.folder)) fs::rename(old.folder.file(name), moving / name);
    fs::rename(moving, away);
    SECTION("the new run has begun to write") { old.begin_new(); }
    SECTION("files are being moved back") {
      fs::rename(away, moving);
      fs::rename(moving / "config.json", old.folder.config());
    }
  }
  data::write_file(old.folder.file("last.safetensors.tmp-softalign-999999999-0"), "left");
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
}

TEST_CASE("a new run with a saved state stays, whenever the program was killed", "[run]") {
  const OldRun old;
  data::make_marked_folder(old.folder.file("replaced"));
  fs::rename(old.folder.file("epoch-1.safetensors"), old.folder.file("replaced/epoch-1.safetensors"));
  data::write_file(old.folder.last(), "state");
  recover(old.folder);
  CHECK(!fs::exists(old.folder.file("replaced")));
  CHECK(data::read_bytes(old.folder.last()) == "state");
}

TEST_CASE("folders without the program's mark are left unchanged", "[run]") {
  const OldRun old;
  const fs::path place = old.folder.file(GENERATE(std::string("replaced"), std::string("replaced.part")));
  if (GENERATE(false, true)) data::write_file(old.folder.last(), "state");
  fs::create_directory(place);
  SECTION("a file has another name") { data::write_file(place / "a.txt", "mine"); }
  SECTION("files of a run are next to another run") {
    data::write_file(place / "config.json", data::read_bytes(old.folder.config()));
    data::write_file(place / "model.safetensors", "mine");
  }
  SECTION("the mark has another text") {
    data::write_file(place / ".softalign", "mine");
    data::write_file(place / "config.json", data::read_bytes(old.folder.config()));
  }
  SECTION("the folder is empty") {}
  const Contents before = contents(old.folder.path);
  CHECK_THROWS_WITH(check_replaceable(old.folder, true),
                    Contains(place.filename().string() + " already exists and softalign did not write it"));
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
  CHECK(fs::exists(place));
}

TEST_CASE("a run that an earlier build half replaced is restored if nothing has taken its name", "[run]") {
  const OldRun old;
  const Contents before = contents(old.folder.path);
  const fs::path away = old.folder.file("replaced"), moving = old.folder.file("replaced.part");
  fs::create_directory(moving);
  for (const std::string& name : run_files(old.folder)) fs::rename(old.folder.file(name), moving / name);
  SECTION("files are being moved") {}
  SECTION("files are moved away") { fs::rename(moving, away); }
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
}

TEST_CASE("links in place of the program's folders are not followed", "[run]") {
  const OldRun old;
  const TemporaryFolder other;
  data::make_marked_folder(other.file("marked"));
  data::write_file(other.file("marked/config.json"), "mine");
  fs::create_directory_symlink(other.path / "marked",
                               old.folder.file(GENERATE(std::string("replaced"), std::string("replaced.part"))));
  const Contents before = contents(other.path);
  recover(old.folder);
  CHECK(contents(other.path) == before);
}

TEST_CASE("a process with the old folder open cannot change files in the new folder", "[run]") {
  const OldRun old;
  const std::string path = old.folder.path;
  {
    const FolderLock lock(old.folder);
    const Replacement replaced(old.folder, lock);
    fs::rename(path, path + "-moved");
    fs::create_directory(path);
    CHECK_THROWS_WITH(lock.check_held(), Contains("is no longer the folder"));
    const FolderLock other(old.folder);
    other.check_held();
    data::write_file(old.folder.model(), "another's");
    data::make_marked_folder(old.folder.file("replaced"));
  }
  CHECK(data::read_bytes(old.folder.model()) == "another's");
  CHECK(fs::exists(old.folder.file("replaced")));
  fs::remove_all(path + "-moved");
}

TEST_CASE("a .lock file of another program is left unchanged, and nothing is written next to it", "[run]") {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path.string()};
  std::string text = "x";
  SECTION("a file") {}
  SECTION("an empty file") { text = ""; }
  SECTION("a file that a link names") { fs::create_symlink("p", folder.lock()); }
  data::write_file(fs::is_symlink(folder.lock()) ? folder.file("p") : folder.lock(), text);
  const Contents before = contents(folder.path);
  CHECK_THROWS_WITH(FolderLock(folder), Contains(".lock is a file that softalign did not write"));
  CHECK_THROWS_WITH(check_replaceable(folder, false), Contains("is not empty"));
  CHECK(contents(folder.path) == before);
}

TEST_CASE("the lock of a killed program is taken over", "[run]") {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path.string()};
  data::write_file(folder.lock(), "process 99999999, since 2026-11-25 12:00:00");
  check_replaceable(folder, false);
  {
    const FolderLock lock(folder);
    CHECK(data::read_bytes(folder.lock()).starts_with(fmt::format("process {}, since 20", ::getpid())));
  }
  CHECK(!fs::exists(folder.lock()));
}

TEST_CASE("only files of a run are replaced", "[run]") {
  const auto refused = [](const RunFolder& folder, const std::string& file) {
    CHECK_THROWS_WITH(check_replaceable(folder, true),
                      Contains(file) && Contains("does not belong to a run of softalign"));
  };
  const OldRun old;
  CHECK_THROWS_WITH(check_replaceable(old.folder, false), Contains("--force"));
  check_replaceable(old.folder, true);
  SECTION("a model of another program") {
    data::write_safetensors(old.folder.model(), {{{"format", "pt"}}, {}, {}});
    refused(old.folder, "model.safetensors");
  }
  SECTION("a kept epoch is not a checkpoint") {
    data::write_file(old.folder.file("epoch-7.safetensors"), "weights");
    refused(old.folder, "epoch-7.safetensors");
  }
  SECTION("another program's configuration") {
    data::write_file(old.folder.config(), R"({"architectures": ["Bert"]})");
    refused(old.folder, "config.json");
  }
  SECTION("no configuration") {
    fs::remove(old.folder.config());
    refused(old.folder, "model.safetensors");
  }
  SECTION("a folder without these files belongs to no run") {
    const TemporaryFolder other;
    data::write_file(other.file("notes.txt"), "mine");
    check_replaceable({other.path.string()}, true);
  }
}

TEST_CASE("one program at a time writes to a run folder", "[run]") {
  const TemporaryFolder temporary;
  const RunFolder folder{temporary.path.string()};
  {
    const FolderLock lock(folder);
    CHECK_THROWS_WITH(FolderLock(folder), Contains(fmt::format("process {}, since 20", ::getpid())));
    check_replaceable(folder, false);  // the folder contains only the lock
  }
  CHECK(!fs::exists(folder.lock()));
  const FolderLock again(folder);
}
