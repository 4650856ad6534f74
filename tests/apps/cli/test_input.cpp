// LineReader reads lines from pipes and from files that grow.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "apps/cli/input.h"
#include "apps/training/metrics.h"
#include "data/io/files.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using Lines = std::vector<std::string>;

struct Pipe {
  int ends[2];
  Pipe() { REQUIRE(pipe(ends) == 0); }
  ~Pipe() { close(ends[0]); }
  void write(const std::string& text) {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end() { close(ends[1]); }
};

std::string journal_path() {
  return (std::filesystem::temp_directory_path() / ("softalign-journal-" + std::to_string(getpid()))).string();
}

}  // namespace

TEST_CASE("a reader returns the available lines without waiting for more") {
  Pipe pipe;
  apps::LineReader reader(pipe.ends[0], "input");
  pipe.write("one\ntwo\nthr");
  CHECK(reader.next(10) == Lines{"one", "two"});  // more bytes may follow "thr"
  pipe.write("ee\nfour\nfive\nsix");
  CHECK(reader.next(2) == Lines{"three", "four"});
  CHECK(reader.next(2) == Lines{"five"});
  pipe.end();
  CHECK(reader.next(2) == Lines{"six"});  // the last line has no line end
  CHECK(reader.next(2).empty());
  CHECK(reader.next(2).empty());
}

TEST_CASE("a reader waits for the first line") {
  Pipe pipe;
  apps::LineReader reader(pipe.ends[0], "input");
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pipe.write("la");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pipe.write("te\n");
  });
  CHECK(reader.next(5) == Lines{"late"});
  writer.join();
  pipe.end();
}

TEST_CASE("a reader returns blank lines and long lines") {
  Pipe pipe;
  apps::LineReader reader(pipe.ends[0], "input");
  const std::string long_line(300000, 'x');
  std::thread writer([&] {
    pipe.write("\n\n");
    for (std::size_t i = 0; i < long_line.size(); i += 1000) pipe.write(long_line.substr(i, 1000));
    pipe.write("\n");
    pipe.end();
  });
  Lines all;
  for (Lines some = reader.next(3); !some.empty(); some = reader.next(3))
    all.insert(all.end(), some.begin(), some.end());
  writer.join();
  CHECK(all == Lines{"", "", long_line});
}

TEST_CASE("an error about invalid UTF-8 gives the line's number") {
  Pipe pipe;
  apps::LineReader reader(pipe.ends[0], "input");
  pipe.write("fine\n");
  CHECK(reader.next(1) == Lines{"fine"});
  pipe.write("\xff\n");
  pipe.end();
  CHECK_THROWS_WITH(reader.next(1), Catch::Contains("input:2: the line is not valid UTF-8"));
}

TEST_CASE("a journal goes back to a recorded length") {
  const std::string path = journal_path();
  std::int64_t length = 0;
  {
    apps::Journal journal(path);
    journal.append("one");
    length = journal.sync();
    journal.append("two");
  }
  CHECK(length == 4);
  CHECK(data::read_bytes(path) == "one\ntwo\n");
  {
    apps::Journal journal(path, length);
    journal.append("three");
    CHECK(journal.sync() == 10);
  }
  CHECK(data::read_bytes(path) == "one\nthree\n");
  CHECK_THROWS_WITH(apps::Journal(path, 11), Catch::Contains("has 10 bytes, but had 11"));
  CHECK(data::read_bytes(path) == "one\nthree\n");
  apps::Journal{path};
  CHECK(data::read_bytes(path).empty());
  std::filesystem::remove(path);
}
