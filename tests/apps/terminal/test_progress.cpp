#include <limits>

#include "apps/terminal/progress.h"
#include "apps/training/metrics.h"
#include "tests/catch.h"

using namespace softalign;
using namespace apps;

TEST_CASE("the progress line has its format") {
  const Progress p{
      .epoch = 3, .epochs = 20, .done = 0.61, .loss = 1.923, .words_per_second = 12345, .seconds_left = 100.9};
  CHECK(progress_line(p, 100) == "epoch 3/20 [==============>         ]  61%  loss 1.92  12.3k tok/s  ETA 1:40");
  CHECK(progress_line(p, 60) == "epoch 3/20 [====>  ]  61%  loss 1.92  12.3k tok/s  ETA 1:40");
  for (std::size_t columns = 0; columns < 120; ++columns) {
    INFO(columns);
    // One column stays free, so that the line does not wrap.
    CHECK(progress_line(p, columns).size() < std::max<std::size_t>(columns, 1));
  }
}

TEST_CASE("the bar is empty at the start and full at the end") {
  CHECK(progress_line({.done = 0}, 100).find("[>                       ]   0%") != std::string::npos);
  CHECK(progress_line({.done = 1}, 100).find("[========================] 100%") != std::string::npos);
  CHECK(progress_line({.done = 0.999}, 100).find(" 99%") != std::string::npos);
}

TEST_CASE("numbers are formatted for people") {
  CHECK(format_rate(987) == "987");
  CHECK(format_rate(999.7) == "1.0k");
  CHECK(format_rate(12345) == "12.3k");
  CHECK(format_rate(999960) == "1.0M");
  CHECK(format_duration(7.9) == "0:07");
  CHECK(format_duration(100) == "1:40");
  CHECK(format_duration(7300) == "2:01:40");
  CHECK(format_duration(-3) == "0:00");
  CHECK(format_duration(std::numeric_limits<double>::infinity()) == "100000:00:00");
  CHECK(format_count(0) == "0");
  CHECK(format_count(999) == "999");
  CHECK(format_count(1000) == "1,000");
  CHECK(format_count(1234567) == "1,234,567");
}

TEST_CASE("a line of timing has the same length for all times") {
  EpochReport fast, slow;
  slow.epoch = 99;
  slow.seconds = slow.train_seconds = 98765.4321;
  slow.words_per_second = 1e7;
  CHECK(fast.timing().size() == slow.timing().size());
}
