// These tests check drawings of pictures and stories in the terminal.
#include <algorithm>

#include "apps/terminal/cells.h"
#include "apps/terminal/heatmap.h"
#include "data/io/unicode.h"
#include "tests/apps/terminal/screen.h"
#include "tests/catch.h"
#include "tests/folders.h"
#include "tests/records.h"

using namespace softalign;
using namespace apps;
using namespace screen;

namespace {

data::Record record(std::size_t place) {
  return testing::read_records(testing::source_folder() + "/tests/data/alignment/kinds.jsonl").at(place);
}
data::Record picture() { return record(0); }
data::Record story() { return record(1); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a picture without colours has one map per word, tenths and gold in brackets, byte for byte") {
  CHECK(draw_heatmap(picture(), {Colours::none, 100}) ==
        "picture 1   greedy\n"
        "red              above            blue             </s>\n"
        "7)1 0            2 2 ·            0 0 0            1 2 2 \n"
        "0 0 0            · 2 2            0 1 7)           2 2 1 \n"
        "1,1 0.70 ● 0.70  1,1 0.25         2,3 0.70 ● 0.70  1,2 0.20\n"
        ") gold  ● largest weight in gold, x not  attention accuracy 100.0%  mass in gold 70.0%  1.32 nats\n");
}

TEST_CASE("maps are next to each other if the terminal is wide enough, and otherwise below each other") {
  for (const auto& [columns, rows] : std::vector<std::pair<std::size_t, std::size_t>>{{100, 1}, {40, 2}, {15, 4}}) {
    const auto drawn = lines(draw_heatmap(picture(), {Colours::none, columns}));
    const auto legend =
        std::find_if(drawn.begin(), drawn.end(), [](const std::string& line) { return line.starts_with(") gold"); });
    CHECK(static_cast<std::size_t>(legend - drawn.begin()) == 1 + rows * 4 + (rows - 1));
    for (std::size_t line = 1; line < drawn.size(); ++line) CHECK(data::display_width(drawn[line]) <= columns);
  }
}

TEST_CASE("a coloured picture has two cells per character, another hue for gold and lightness for the weight") {
  for (const Colours colours :
       {Colours::truecolor, Colours::grey256, Colours::truecolor_on_light, Colours::grey256_on_light}) {
    const std::string drawn = draw_heatmap(picture(), {colours, 100});
    CHECK(count(drawn, "▀") == 4 * 3);  // four maps of two rows by three cells
    CHECK(strip(drawn).find("orange: gold") != std::string::npos);
    CHECK(strip(drawn).find("1,1 0.70 ● 0.70  1,1 0.25") != std::string::npos);
  }
  data::Record odd = picture();  // of three rows, the last one fills only its upper half
  odd.source_grid = data::PictureGrid{3, 2};
  odd.source = {"1,1", "1,2", "2,1", "2,2", "3,1", "3,2"};
  CHECK(count(draw_heatmap(odd, {Colours::truecolor, 100}), "▀") == 4 * 4);

  const Pixel dark{0, false}, light{1, false}, gold{1, true};
  CHECK(draw_half_blocks(light, &dark, Colours::truecolor) == "\x1b[38;2;232;245;255;48;2;22;26;34m▀\x1b[0m");
  CHECK(draw_half_blocks(gold, nullptr, Colours::truecolor) == "\x1b[38;2;255;232;190m▀\x1b[0m");
  CHECK(draw_half_blocks(gold, &dark, Colours::grey256) == "\x1b[38;5;230;48;5;232m▀\x1b[0m");
  // On a light terminal, a weight of 0 is white and a weight of 1 is dark.
  CHECK(draw_half_blocks(light, &dark, Colours::truecolor_on_light) == "\x1b[38;2;8;44;100;48;2;255;255;255m▀\x1b[0m");
  CHECK(draw_half_blocks(gold, &dark, Colours::grey256_on_light) == "\x1b[38;5;58;48;5;255m▀\x1b[0m");
}

TEST_CASE("a map prints whether its largest weight misses gold") {
  data::Record r = picture();
  r.gold->possible = {{1, 0}, {4, 0}};
  CHECK(draw_heatmap(r, {Colours::none, 100}).find("1,1 0.70 x 0.15") != std::string::npos);
  r.gold.reset();
  CHECK(lines(draw_heatmap(r, {Colours::none, 100})).back() == "entropy 1.32 nats");
}

TEST_CASE("a story has one line per sentence, with a weight and a bar per hop, byte for byte") {
  CHECK(draw_heatmap(story(), {Colours::none, 100}) ==
        "story 2   forced\n"
        "where is the apple\n"
        "    hop 1           hop 2\n"
        "  1 [.70 ] ▇▇▇▇▇▇   [.10 ] ▇        mary got the apple\n"
        "  2  .20   ▇▇        .10   ▇        it rained\n"
        "  3 [.10 ] ▇        [.80 ] ▇▇▇▇▇▇   mary went to the park\n"
        "park\n"
        "[ ] gold sure  ( ) possible  attention accuracy 100.0%  mass in gold 90.0%  0.64 nats\n");
}

TEST_CASE("a coloured story without its colours equals the plain one, and long sentences are cut to the terminal") {
  const std::string plain = draw_heatmap(story(), {Colours::none, 56});
  CHECK(strip(draw_heatmap(story(), {Colours::truecolor, 56})) == plain);
  CHECK(plain.find("mary went to the pa…") != std::string::npos);
  CHECK(lines(plain).at(5) != lines(draw_heatmap(story(), {Colours::none, 100})).at(5));
}

TEST_CASE("a story with one hop has one column, and each word of an answer has a separate block") {
  data::Record r = story();
  r.weights.heads.clear();
  CHECK(lines(draw_heatmap(r, {Colours::none, 100})).at(2) == "    weight");
  r.target = {"the", "park"};
  r.weights.matrix.push_back(r.weights.matrix.front());
  data::complete(r);
  const std::string drawn = draw_heatmap(r, {Colours::none, 100});
  CHECK(count(drawn, "mary got the apple") == 2);
  CHECK(drawn.find("the\n    weight\n") != std::string::npos);
}

TEST_CASE("a question or a sentence cannot send commands to the terminal") {
  data::Record r = story();
  r.question = "where\x1b[2J";
  r.source[1] = "it\rrained";
  const std::string drawn = draw_heatmap(r, {Colours::none, 100});
  CHECK(drawn.find('\x1b') == std::string::npos);
  CHECK(drawn.find('\r') == std::string::npos);
}
