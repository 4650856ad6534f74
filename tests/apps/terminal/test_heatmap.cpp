#include <algorithm>
#include <cstdlib>

#include "apps/terminal/cells.h"
#include "apps/terminal/heatmap.h"
#include "data/io/unicode.h"
#include "tests/apps/terminal/screen.h"
#include "tests/catch.h"

using namespace softalign;
using namespace apps;
using namespace screen;

TEST_CASE("the heatmap of \"i love you\", byte for byte") {
  CHECK(draw_heatmap(i_love_you(), {Colours::none, 100}) ==
        "sentence 1   forced\n"
        "       i    love  you   </s>  nats             p\n"
        "  je [.94 ]  ·     ·     ·     0.3 ▇▇       0.98  ← i\n"
        "  t'  .11    ·   [.88 ]  ·     0.4 ▇▇       0.94  ← you\n"
        "aime   ·   [.45 ] .52 x  ·     0.8 ▇▇▇▇▇    0.97  ← you\n"
        "</s>   ·     ·     ·    1.0    0.0          0.99  ← </s>\n"
        "[ ] gold sure  ( ) possible  x not in gold  AER 33.3%  P 66.7%  R 66.7%  0.37 nats\n");
}

TEST_CASE("the coloured heatmap without its colours equals the plain one") {
  for (const std::size_t columns : {20, 52, 100}) {
    const std::string plain = draw_heatmap(i_love_you(), {Colours::none, columns});
    for (const Colours colours :
         {Colours::truecolor, Colours::grey256, Colours::truecolor_on_light, Colours::grey256_on_light}) {
      const std::string coloured = draw_heatmap(i_love_you(), {colours, columns});
      CHECK(coloured.find('\x1b') != std::string::npos);
      CHECK(strip(coloured) == plain);
    }
  }
}

TEST_CASE("cells become narrower with the terminal, and all rows have the same width") {
  const auto cell_width = [](std::size_t columns) {
    const std::string drawn = draw_heatmap(i_love_you(), {Colours::none, columns});
    const auto has = [&](const char* cell) { return drawn.find(cell) != std::string::npos; };
    return has("je [.94 ]") ? 6 : has("je [.94]") ? 5 : has("je .94]") ? 4 : has("je 94]") ? 3 : 2;
  };
  CHECK(cell_width(100) == 6);
  CHECK(cell_width(56) == 6);
  CHECK(cell_width(55) == 5);
  CHECK(cell_width(25) == 5);
  CHECK(cell_width(24) == 4);
  CHECK(cell_width(21) == 4);
  CHECK(cell_width(20) == 3);
  CHECK(cell_width(17) == 3);
  CHECK(cell_width(16) == 2);
  CHECK(cell_width(10) == 2);
  const auto row = [](std::size_t columns) {
    return lines(draw_heatmap(i_love_you(), {Colours::none, columns})).at(2);
  };
  CHECK(row(44) == "  je [.94]  ·    ·    ·    0.3  0.98  ← i");
  CHECK(row(43) == "  je [.94]  ·    ·    ·    0.3  0.98");
  CHECK(row(35) == "  je [.94]  ·    ·    ·  ");
}

// The record has as many source words as a sentence that people type, and </s>.
TEST_CASE("fifteen source positions have two digits in 80 columns, below vertical words") {
  data::Record record;
  for (int i = 0; i < 14; ++i) record.source.push_back("word" + std::to_string(i));
  record.target = {"traduction"};
  record.gold = data::Gold{{{1, 0}}, {{2, 0}}};
  record.weights.matrix.assign(2, std::vector<float>(15, 0));
  record.weights.matrix[0] = {0.004F, 0.84F, 0.07F, 0.086F};
  record.weights.matrix[0].resize(15);
  record.weights.matrix[1].back() = 1;
  data::complete(record);
  const auto drawn = lines(draw_heatmap(record, {Colours::none, 80}));
  CHECK(drawn.at(7) == "traduction  · 84]07)09  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·   0.6     -  ← word1");
  CHECK(drawn.at(8) == "      </s>  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 99   0.0     -  ← </s>");
  CHECK(drawn.at(9).find("numbers: hundredths, at most 99") == 0);
  std::string down;
  for (std::size_t line = 2; line <= 6; ++line) down += drawn.at(line).substr(15, 1);
  CHECK(down == "word1");
}

TEST_CASE("a heatmap that is too narrow for nats and p prints how many columns they need") {
  const auto note = [](std::size_t columns) {
    return draw_heatmap(i_love_you(), {Colours::none, columns}).find("left out") != std::string::npos;
  };
  CHECK_FALSE(note(36));
  CHECK(note(35));
  std::string narrow = draw_heatmap(i_love_you(), {Colours::none, 35});
  std::ranges::replace(narrow, '\n', ' ');
  CHECK(narrow.find("nats and p are left out: they need 36") != std::string::npos);
}

TEST_CASE("no line is wider than the terminal, and cells widen for complete words if there is space") {
  data::Record record;
  for (std::size_t i = 0; i < 30; ++i) record.source.push_back(i % 2 == 0 ? "of" : "neighbours");
  record.target = {"the", "incomprehensibilities"};
  record.gold.emplace();
  record.weights.matrix.assign(3, std::vector<float>(31, 1.f / 31));
  data::complete(record);
  for (const std::size_t columns : {20, 40, 60, 80, 100, 200, 400}) {
    for (const data::Record& drawn : {record, i_love_you()})
      for (const std::string& line : lines(draw_heatmap(drawn, {Colours::none, columns}))) {
        INFO(columns << ": " << line);
        CHECK(data::display_width(line) <= columns);
      }
  }
  const std::string narrow = draw_heatmap(record, {Colours::none, 40}),
                    wide = draw_heatmap(record, {Colours::none, 400});
  CHECK(narrow.find("digits: tenths, cut") != std::string::npos);
  CHECK(wide.find("digits: tenths") == std::string::npos);
  CHECK(wide.find("neighbours") != std::string::npos);
  // A row that is split into three blocks has a cell for every word and for </s>.
  std::size_t cells = 0;
  for (const std::string& line : lines(narrow)) {
    if (line.find(" the ") == std::string::npos) continue;
    for (const char32_t letter : data::decode_utf8(line)) cells += letter == U'·' || letter == U'x';
  }
  CHECK(cells == 31);
}

TEST_CASE("a long sentence shows 200 words per side and prints its number of words") {
  data::Record record;
  record.source = data::Tokens(5000, std::string(1000, 'x'));
  record.target = data::Tokens(300, "y");
  record.weights.matrix.assign(301, std::vector<float>(5001, 0));
  for (auto& row : record.weights.matrix) row[4000] = 1;
  data::complete(record);
  const std::string drawn = draw_heatmap(record, {Colours::none, 100});
  CHECK(drawn.size() < 250'000);
  CHECK(lines(drawn).size() < 1300);  // the drawing has five blocks
  CHECK_THAT(drawn, Catch::Matchers::Contains(
                        "this drawing shows the first 200 of 301 target words; --format jsonl contains all\n"));
  CHECK_THAT(drawn, Catch::Matchers::Contains("this drawing shows the first 200 of 5001 source words"));
}

TEST_CASE("any word is clipped in bounded time") {
  CHECK(clip(std::string(1'000'000, 'x'), 5) == "xxxx…");
  std::string marks = "e";
  for (int i = 0; i < 500'000; ++i) marks += "\u0301";
  CHECK(clip(marks, 5).size() < 100);
}

TEST_CASE("in narrow terminals words are vertical above their columns and complete") {
  const auto drawn = lines(draw_heatmap(i_love_you(), {Colours::none, 16}));
  std::string down;
  for (std::size_t line = 1; line <= 4; ++line) down += drawn.at(line).substr(7, 1);
  CHECK(down == "love");
  CHECK(drawn.at(5) == "  je 9]· · · ");
}

TEST_CASE("columns line up for wide and combining characters") {
  data::Record record = i_love_you();
  record.source = {"我", "e\u0301te\u0301", "愛"};
  record.target = {"猫が", "x", "\u200b"};
  data::complete(record);
  for (const std::size_t columns : {30, 100}) {
    const auto drawn = lines(draw_heatmap(record, {Colours::none, columns}));
    std::vector<std::size_t> bars;
    const auto legend =
        std::find_if(drawn.begin(), drawn.end(), [](const std::string& line) { return line.starts_with("[ ]"); });
    for (auto row = static_cast<std::size_t>(legend - drawn.begin()) - 4; drawn[row] != *legend; ++row) {
      bars.push_back(data::display_width(drawn[row].substr(0, drawn[row].find(" ←"))));
    }
    CHECK(bars == std::vector<std::size_t>(4, bars.front()));
  }
}

TEST_CASE("a word cannot send commands to the terminal") {
  data::Record record = i_love_you();
  record.source[0] = "\x1b[2J";
  record.target[0] = "\u202e";
  const std::string drawn = draw_heatmap(record, {Colours::none, 100});
  CHECK(drawn.find('\x1b') == std::string::npos);
  CHECK(drawn.find("\u202e") == std::string::npos);
  CHECK(drawn.find("\ufffd[2J") != std::string::npos);
}

TEST_CASE("without gold there are no marks and no AER") {
  data::Record record = i_love_you();
  record.gold.reset();
  const std::string drawn = draw_heatmap(record, {Colours::none, 100});
  CHECK(drawn.find('[') == std::string::npos);
  CHECK(drawn.find('x') == std::string::npos);
  CHECK(drawn.find("AER") == std::string::npos);
}

TEST_CASE("possible links are in round brackets") {
  CHECK(draw_cell(0.31, Mark::possible, 6, Colours::none) == "(.31 )");
  CHECK(draw_cell(0.31, Mark::possible, 5, Colours::none) == "(.31)");
  CHECK(draw_cell(0.31, Mark::possible, 2, Colours::none) == "3)");
  // The brackets mark a gold link, however small its weight.
  CHECK(draw_cell(0.001, Mark::sure, 6, Colours::none) == "[.00 ]");
  CHECK(draw_cell(0.999, Mark::none, 6, Colours::none) == " 1.0  ");
}

TEST_CASE("brackets contrast with dark cells and are black on light ones") {
  CHECK(draw_cell(0.1, Mark::sure, 6, Colours::grey256) ==
        "\x1b[48;5;234;38;5;221;1m[\x1b[0m\x1b[48;5;234;38;5;231;1m.10 \x1b[0m\x1b[48;5;234;38;5;221;1m]\x1b[0m");
  const std::string light = draw_cell(0.9, Mark::possible, 2, Colours::truecolor);
  CHECK(light.find("38;5;16;1m)") != std::string::npos);
  CHECK(light.find("38;2;") == std::string::npos);
  for (const double weight : {0.1, 0.6, 0.9}) {
    const std::string cell = draw_cell(weight, Mark::sure, 6, Colours::truecolor_on_light);
    CHECK((cell.find("38;2;166;76;0;1m[") != std::string::npos) == (weight < 0.3));
  }
}

TEST_CASE("lightness grows with the weight on a dark terminal and falls on a light one") {
  for (const bool light : {false, true}) {
    int before = light ? 255 : 232;
    for (double weight = 0; weight <= 1; weight += 0.1) {
      const std::string cell = draw_cell(weight, Mark::none, 6, light ? Colours::grey256_on_light : Colours::grey256);
      const int grey = std::stoi(cell.substr(std::string("\x1b[48;5;").size()));
      CHECK((light ? grey <= before : grey >= before));
      if (weight == 0) CHECK(grey == before);
      before = grey;
    }
    CHECK(before == (light ? 232 : 255));
  }
  CHECK(draw_cell(0, Mark::none, 6, Colours::truecolor_on_light).starts_with("\x1b[48;2;255;255;255;38;5;16m"));
  CHECK(draw_cell(1, Mark::none, 6, Colours::truecolor_on_light).starts_with("\x1b[48;2;8;44;100;38;5;231m"));
}

TEST_CASE("colours follow the option, the terminal and its environment") {
  struct Case {
    const char *no_color, *term, *colorterm;
    UseColour choice;
    bool terminal;
    Colours expected;
  };
  const std::vector<Case> cases{
      {"", "xterm", "truecolor", UseColour::automatic, true, Colours::truecolor},
      {"", "xterm", "", UseColour::automatic, true, Colours::grey256},
      {"", "xterm", "truecolor", UseColour::automatic, false, Colours::none},
      {"1", "xterm", "24bit", UseColour::automatic, true, Colours::none},
      {"", "dumb", "24bit", UseColour::automatic, true, Colours::none},
      {"1", "dumb", "24bit", UseColour::always, false, Colours::truecolor},
      {"", "xterm", "24bit", UseColour::never, true, Colours::none},
      {"1", "xterm", "24bit", UseColour::light, false, Colours::truecolor_on_light},
      {"", "xterm", "", UseColour::light, true, Colours::grey256_on_light},
      {"", "xterm", "", UseColour::dark, true, Colours::grey256},
  };
  for (const Case& c : cases) {
    setenv("NO_COLOR", c.no_color, 1);
    setenv("TERM", c.term, 1);
    setenv("COLORTERM", c.colorterm, 1);
    INFO(static_cast<int>(c.choice) << " " << c.term << " " << c.colorterm << " " << c.no_color);
    CHECK(choose_colours(c.choice, c.terminal) == c.expected);
  }
}

TEST_CASE("words outside the vocabulary are marked") {
  data::Record record = i_love_you();
  const std::string plain = draw_heatmap(record, {});
  record.unknown = data::Unknown{{1}, {0}};
  const std::string marked = draw_heatmap(record, {});
  CHECK(marked.find("?" + record.source[1]) != std::string::npos);
  CHECK(marked.find("?" + record.target[0]) != std::string::npos);
  CHECK(marked.find("?" + record.source[0]) == std::string::npos);
  record.unknown = data::Unknown{};
  CHECK(draw_heatmap(record, {}) == plain);
}
