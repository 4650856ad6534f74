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

TEST_CASE("the old run comes back where the new one never begins", "[run]") {
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

TEST_CASE("the old run goes when the new one has begun", "[run]") {
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
  SECTION("while files are put away") {
    data::make_marked_folder(moving);
    fs::rename(old.folder.model(), moving / "model.safetensors");
  }
  SECTION("all are away, and nothing is written") {
    data::make_marked_folder(moving);
    for (const std::string& name : run_files(old.folder)) fs::rename(old.folder.file(name), moving / name);
    fs::rename(moving, away);
    SECTION("or the new one has begun to write") { old.begin_new(); }
    SECTION("or they were on their way back") {
      fs::rename(away, moving);
      fs::rename(moving / "config.json", old.folder.config());
    }
  }
  data::write_file(old.folder.file("last.safetensors.tmp-softalign-999999999-0"), "left");
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
}

TEST_CASE("a new run that has saved a state stays, whatever was killed then", "[run]") {
  const OldRun old;
  data::make_marked_folder(old.folder.file("replaced"));
  fs::rename(old.folder.file("epoch-1.safetensors"), old.folder.file("replaced/epoch-1.safetensors"));
  data::write_file(old.folder.last(), "state");
  recover(old.folder);
  CHECK(!fs::exists(old.folder.file("replaced")));
  CHECK(data::read_bytes(old.folder.last()) == "state");
}

TEST_CASE("folders without our mark are left as they are", "[run]") {
  const OldRun old;
  const fs::path place = old.folder.file(GENERATE(std::string("replaced"), std::string("replaced.part")));
  if (GENERATE(false, true)) data::write_file(old.folder.last(), "state");
  fs::create_directory(place);
  SECTION("with a file of another name") { data::write_file(place / "a.txt", "mine"); }
  SECTION("with files of a run beside another run") {
    data::write_file(place / "config.json", data::read_bytes(old.folder.config()));
    data::write_file(place / "model.safetensors", "mine");
  }
  SECTION("with a mark that says something else") {
    data::write_file(place / ".softalign", "mine");
    data::write_file(place / "config.json", data::read_bytes(old.folder.config()));
  }
  SECTION("with nothing") {}
  const Contents before = contents(old.folder.path);
  CHECK_THROWS_WITH(check_replaceable(old.folder, true),
                    Contains(place.filename().string() + " already exists and softalign did not write it"));
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
  CHECK(fs::exists(place));
}

TEST_CASE("a run that an earlier build left half replaced comes back where nothing stands in its place", "[run]") {
  const OldRun old;
  const Contents before = contents(old.folder.path);
  const fs::path away = old.folder.file("replaced"), moving = old.folder.file("replaced.part");
  fs::create_directory(moving);
  for (const std::string& name : run_files(old.folder)) fs::rename(old.folder.file(name), moving / name);
  SECTION("on its way") {}
  SECTION("away") { fs::rename(moving, away); }
  recover(old.folder);
  CHECK(contents(old.folder.path) == before);
}

TEST_CASE("links to folders in the place of ours are not followed", "[run]") {
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

TEST_CASE("what stands in a folder that was made anew is not changed by who wrote to the old one", "[run]") {
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

TEST_CASE("a .lock that is none of ours is left as it is, and nothing is written beside it", "[run]") {
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

TEST_CASE("the lock of a program that was killed is taken over", "[run]") {
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

TEST_CASE("what is not of a run of ours is not replaced", "[run]") {
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
  SECTION("a kept epoch that is none") {
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
  SECTION("a folder without any such file is nobody's run") {
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
