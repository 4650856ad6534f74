#include "apps/training/table.h"

#include <cmath>
#include <utility>

#include "data/io/unicode.h"
#include "tests/apps/terminal/screen.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;
using namespace apps;
using namespace screen;

namespace {

// An epoch with the results of its validation.
struct Ended {
  EpochReport report;
  EvaluationScores valid;
  std::vector<data::Record> tracked;
};

Ended ended(std::size_t epoch, double valid_loss) {
  Ended e;
  e.report.epoch = epoch;
  e.report.losses = {1.234};
  e.report.learning_rate = 2e-3;
  e.report.gradient_norm = 0.98;
  e.report.words_per_second = 54321;
  e.report.seconds = 4.25;
  e.report.best = true;
  e.valid.pairs = e.valid.translated = 1;
  e.valid.target_tokens = 10;
  e.valid.log_prob = -10 * valid_loss;
  for (const std::size_t more : {0, 2, 20, 2}) {  // the number of words before "i love you"
    e.tracked.push_back(i_love_you());
    e.tracked.back().id = e.tracked.size() - 1;
    e.tracked.back().source.insert(e.tracked.back().source.begin(), more, "so");
    for (std::vector<float>& row : e.tracked.back().weights.matrix) row.insert(row.begin(), more, 0);
    data::complete(e.tracked.back());
  }
  for (data::Record& record : e.tracked) record.epoch = epoch;
  return e;
}

std::string add(EpochTable&& table, const Ended& e) { return table.add(e.report, e.valid, e.tracked); }
std::string add(EpochTable& table, const Ended& e) { return add(std::move(table), e); }

}  // namespace

TEST_CASE("a sparkline covers the range from the highest to the lowest value") {
  CHECK(sparkline({}, 8) == "");
  CHECK(sparkline({3}, 8) == "█");
  CHECK(sparkline({3, 3}, 8) == "██");
  CHECK(sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 8) == "▁▂▃▄▅▆▇█");
  CHECK(sparkline({8, 2, 1}, 8) == "█▂▁");
  CHECK(sparkline({1, 2}, 0) == "");
  CHECK(sparkline({2, NAN, 1, INFINITY}, 8) == "█ ▁ ");  // a training that diverged
  CHECK(sparkline({NAN}, 8) == " ");
}

TEST_CASE("a long sparkline averages neighbours and has at most the requested width") {
  CHECK(sparkline({0, 2, 3, 5, 6, 8}, 3) == "▁▅█");  // the means are 1, 4, 7
  std::vector<double> values;
  for (std::size_t n = 1; n < 60; ++n) {
    values.push_back(static_cast<double>(n));
    CHECK(data::display_width(sparkline(values, 16)) == std::min<std::size_t>(n, 16));
  }
}

TEST_CASE("a row of the table of epochs is aligned with the header") {
  EpochTable table({}, 0);
  const auto head = lines(table.head());
  const std::string row = lines(add(table, ended(12, 0.5))).at(0);
  CHECK(head.at(0) == "      train valid  valid       AER entropy  learn. grad. target         valid");
  CHECK(head.at(1) == "epoch  loss  loss    ppl BLEU    %    nats    rate  norm  tok/s  sec.   loss");
  CHECK(row == "   12 1.234 0.500   1.65  0.0    -       - 2.0e-03  0.98  54.3k   4.2 * █");
  CHECK(data::display_width(row.substr(0, row.find('*'))) + 2 == head.at(1).rfind("loss"));
}

TEST_CASE("large figures lose decimals but keep their columns") {
  Ended r = ended(3, 12.3456);
  r.report.gradient_norm = 12345.678;
  r.report.seconds = 98765.4;
  r.report.losses = {1234567};
  EpochTable table({}, 0);
  CHECK(lines(add(table, r)).at(0) == "    3 1e+06 12.35 229946  0.0    -       - 2.0e-03 12346  54.3k 98765 * █");
}

TEST_CASE("the curve grows with the epochs, in the remaining space of the terminal") {
  for (const std::size_t columns : {72, 80, 100}) {
    EpochTable table({Colours::none, columns}, 0, {{1, 4, 0, {}}});
    std::string row;
    for (std::size_t epoch = 2; epoch <= 30; ++epoch) row = lines(add(table, ended(epoch, 4. / epoch))).at(0);
    const std::size_t curve = columns == 100 ? 16 : columns == 80 ? 8 : 0;
    CHECK(data::display_width(row) == 72 + curve);
    if (curve > 0) CHECK(row.find("* █") != std::string::npos);  // the curve includes the epochs before --resume
  }
}

TEST_CASE("in a narrow terminal the least important columns are left out, and no line is cut") {
  for (std::size_t columns = 24; columns < 72; ++columns) {
    EpochTable table({Colours::none, columns}, 0);
    INFO(columns);
    for (const std::string& line : lines(table.head() + add(table, ended(12, 0.5))))
      CHECK(data::display_width(line) <= columns);
  }
  EpochTable table({Colours::none, 60}, 0);
  CHECK(lines(table.head()).at(1) == "epoch  loss  loss    ppl BLEU    %    nats  tok/s  sec.");
  CHECK(lines(add(table, ended(12, 0.5))).at(0) == "   12 1.234 0.500   1.65  0.0    -       -  54.3k   4.2 * █");
  CHECK(lines(EpochTable({Colours::none, 30}, 0).head()).at(1) == "epoch  loss  loss BLEU    %");
}

TEST_CASE("sources with positions have attention accuracy in place of AER in the table") {
  EpochTable table({Colours::none, 60}, 0, {}, properties_of(models::Task::captioning));
  CHECK(lines(table.head()).at(0).find(" hit ") != std::string::npos);
  CHECK(lines(table.head()).at(0).find("AER") == std::string::npos);
  Ended e = ended(12, 0.5);
  e.valid.attention_accuracy.words = 8, e.valid.attention_accuracy.hits = 6;
  CHECK(lines(add(table, e)).at(0).find(" 75.0 ") != std::string::npos);
}

TEST_CASE("the curve is logarithmic: equal ratios of the loss are equal steps") {
  EpochTable table({}, 0, {{1, 1.6, 0, {}}, {2, 0.8, 0, {}}});
  CHECK(lines(add(table, ended(3, 0.4))).at(0).find("* █▅▁") != std::string::npos);
  CHECK(lines(add(EpochTable({}, 0, {{1, 1, 0, {}}}), ended(2, 0))).at(0).find("* █▁") != std::string::npos);
}

TEST_CASE("the tracked sentence is drawn after the first epoch and every few") {
  EpochTable table({}, 3);
  std::vector<std::size_t> drawn, with_head;
  for (std::size_t epoch = 1; epoch <= 7; ++epoch) {
    const Ended r = ended(epoch, 1);
    const std::string text = add(table, r);
    if (text.find(draw_heatmap(r.tracked[1], {})) != std::string::npos) drawn.push_back(epoch);
    if (text.find(table.head()) == 0) with_head.push_back(epoch);
  }
  CHECK(drawn == std::vector<std::size_t>{1, 3, 6});
  CHECK(with_head == std::vector<std::size_t>{2, 4, 7});
}

TEST_CASE("the longest tracked sentence that fits is drawn") {
  const auto drawn = [](std::size_t columns) {
    return lines(add(EpochTable({Colours::none, columns}, 1), ended(1, 1))).at(2);
  };
  CHECK(drawn(300) == "sentence 2   epoch 1, forced");  // the 23 words fit, but are more than ten
  CHECK(drawn(60) == "sentence 2   epoch 1, forced");   // the five words fit with narrower cells
  CHECK(drawn(20) == "sentence 1   epoch 1, forced");
}

TEST_CASE("the table has only rows if no sentence is tracked or none is requested") {
  Ended untracked = ended(1, 1);
  untracked.tracked.clear();
  CHECK(lines(add(EpochTable({}, 1), untracked)).size() == 1);
  CHECK(lines(add(EpochTable({}, 0), ended(1, 1))).size() == 1);
}

TEST_CASE("the coloured table without its colours equals the plain one") {
  EpochTable plain({Colours::none, 100}, 2), coloured({Colours::truecolor, 100}, 2);
  CHECK(strip(coloured.head()) == plain.head());
  for (std::size_t epoch = 1; epoch <= 4; ++epoch) {
    const std::string text = add(coloured, ended(epoch, 1));
    CHECK(text.find("\x1b[1m*\x1b[0m") != std::string::npos);
    CHECK(strip(text) == add(plain, ended(epoch, 1)));
  }
}

TEST_CASE("a curve has the attention accuracy, even under the name in older runs") {
  const TemporaryFolder temporary;
  temporary.file("metrics.jsonl",
                 R"({"epoch":1,"valid":{"loss":3.5,"bleu":1,"alignment":{"aer":0.5},"attention_accuracy":0.25}})"
                 "\n"
                 R"({"epoch":2,"valid":{"loss":3.5,"bleu":1,"alignment":null,"pointing":0.75}})"
                 "\n"
                 R"({"epoch":3,"valid":{"loss":3.5,"bleu":1,"alignment":null}})"
                 "\n");
  const std::vector<CurvePoint> curve = read_curve((temporary.path / "metrics.jsonl").string());
  REQUIRE(curve.size() == 3);
  CHECK(curve[0].accuracy == 0.25);
  CHECK(curve[1].accuracy == 0.75);
  CHECK(!curve[2].accuracy);
}

TEST_CASE("a curve is read from the finished epochs, and keeps losses that are not finite") {
  const TemporaryFolder temporary;
  const std::string done = R"({"epoch":1,"valid":{"loss":3.5,"bleu":1,"alignment":null}})"
                           "\n"
                           R"({"epoch":2,"best":true,"valid":{"loss":null,"bleu":2,"alignment":{"aer":0.25}}})"
                           "\n";
  const std::string torn = R"({"epoch":3,"va)";  // the training was killed while it wrote this line
  temporary.file("metrics.jsonl", done + torn);
  const std::string file = (temporary.path / "metrics.jsonl").string();
  CHECK(read_curve(file, 0).empty());
  CHECK(read_curve(file + "-that-is-not-there").empty());
  const std::vector<CurvePoint> curve = read_curve(file, done.size());
  REQUIRE(curve.size() == 2);
  CHECK(curve[0].loss == 3.5);
  CHECK(std::isnan(curve[1].loss));
  CHECK(curve[1].aer == 0.25);
  CHECK(curve[1].best);
  CHECK(read_curve(file).size() == 2);  // a line without a line end is not read yet
  temporary.file("metrics.jsonl", done + torn + "\n");
  CHECK_THROWS_WITH(read_curve(file), Catch::Contains("metrics.jsonl:3: train did not write this line"));
}
