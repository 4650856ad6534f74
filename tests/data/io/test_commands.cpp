// Messages quote commands that a reader can paste into a shell.
#include "data/io/commands.h"
#include "tests/catch.h"

using namespace softalign::data;

TEST_CASE("commands in messages use the name by which the user called this program") {
  CHECK(command("train") == "train");
  for (const auto* before : {"build/", "/usr/bin/softalign-", "softalign ", ""}) {
    set_called("translate", std::string(before) + "translate");
    CHECK(command("train") == before + std::string("train"));
    CHECK(command("translate") == before + std::string("translate"));
  }
  set_called("translate", "build/translate");
  set_called("translate", "build/renamed");
  CHECK(command("train") == "train");
}

TEST_CASE("a file's name replaces the placeholder of a command once") {
  CHECK(with_file("this swaps them: awk P FILE > NEW\n", "my file") == "this swaps them: awk P 'my file' > NEW\n");
  CHECK(with_file("awk P FILE > NEW\n", "it's") == "awk P 'it'\\''s' > NEW\n");
  CHECK(with_file("awk P FILE\n", "a") == "awk P a\n");
  CHECK(shell_word("") == "''");
  CHECK(with_file("no command\n", "a") == "no command\n");
  CHECK(with_file("cut -f1-2 FILE", "my file") == "cut -f1-2 'my file'");
  CHECK(with_file("cut -f1 FILENAME", "a") == "cut -f1 FILENAME");
  CHECK(with_file("awk P FILE > NEW\n", "") == "awk P FILE > NEW\n");
}
