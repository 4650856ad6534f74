// Captions of pictures from files: cells become positions, boxes become links to cells, and every bad line is refused.
#include "data/pictures/captions.h"

#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::user_error;

namespace {

// A picture of 8 x 4 pixels (width x height) is scaled to 4 x 2. It has 2 rows of 4 cells.
constexpr PictureOptions options{.height = 2, .width = 4, .rows = 2, .columns = 4};

CorpusOptions at_most(size_t words, TooLong too_long = TooLong::refuse) {
  CorpusOptions rules;
  rules.max_length = words;
  rules.too_long = too_long;
  return rules;
}

struct Folder : TemporaryFolder {
  Folder() {
    std::string pixels;
    for (int i = 0; i < 32 * 3; ++i) pixels += static_cast<char>(2 * i);
    file("p.ppm", "P6 8 4 255\n" + pixels);
  }
  std::string captions(const std::string& lines) const { return file("t.tsv", lines); }
};

Links possible(const std::string& boxes) {
  const Folder folder;
  return read_captions(folder.captions("p.ppm\ta red ring\t" + boxes + "\n"), options)
      .pairs.at(0)
      .gold.value()
      .possible;
}

}  // namespace

TEST_CASE("captions: lines with a blank column are left out, or kept without words") {
  const Folder folder;
  const std::string path = folder.captions("p.ppm\ta ring\n\np.ppm\t \n\ta ring\n");
  CorpusOptions rules;
  rules.blank = Blank::drop;
  const Corpus rest = read_captions(path, options, rules);
  CHECK(rest.blank == 3);
  CHECK(rest.pairs.size() == 1);
  rules.blank = Blank::keep;
  const Corpus all = read_captions(path, options, rules);
  REQUIRE(all.pairs.size() == 4);
  CHECK((all.pairs[2].blank && all.pairs[2].line == 3 && all.pairs[2].source_line == "p.ppm" && !all.pairs[2].picture));
}

TEST_CASE("captions: a line gives a picture of the model's size, its cells, the caption's words, tags and lines") {
  const Folder folder;
  const Corpus corpus =
      read_captions(folder.captions("p.ppm\ta red ring\t0,0,2,2-1\tred,ring\np.ppm\tnothing\n"), options, at_most(3));
  REQUIRE(corpus.pairs.size() == 2);
  const Pair& pair = corpus.pairs[0];
  CHECK(pair.source.empty());
  CHECK(pair.target == Tokens{"a", "red", "ring"});
  CHECK(pair.places == Tokens{"1,1", "1,2", "1,3", "1,4", "2,1", "2,2", "2,3", "2,4"});
  CHECK(pair.tags == Tokens{"red", "ring"});
  CHECK(pair.source_line == "p.ppm");
  CHECK(corpus.pairs[1].line == 2);
  CHECK_FALSE(corpus.pairs[1].gold.has_value());
  REQUIRE(pair.picture->height == 2);
  REQUIRE(pair.picture->width == 4);
  // The mean of red over the first 2 x 2 pixels. Red grows by 6 per column and by 48 per row.
  CHECK(pair.picture->rgb[0] == (0 + 6 + 48 + 54) / 4);
}

TEST_CASE("captions: a word's cells have their middle in its box, or contain the middle of the box") {
  CHECK(possible("0,0,2,2-1") == Links{{0, 1}});                  // only the first cell
  CHECK(possible("0,0,8,4-0").size() == 8);                       // all cells
  CHECK(possible("1,0,4,2-2") == Links{{0, 2}, {1, 2}});          // the middles 1 and 3 lie in [1, 5), 5 does not
  CHECK(possible("2,1,6,1-1") == Links{{1, 1}, {2, 1}, {3, 1}});  // row 1 of pixels has the first row's middles
  CHECK(possible("7,3,1,1-1") == Links{{7, 1}});                  // one pixel, in the last corner
  CHECK(possible("0,2,1,1-1 0,0,1,1-1") == Links{{0, 1}, {4, 1}});
  CHECK(possible("0,0,2,2-1 0,0,2,2-1 0,0,2,2-0") == Links{{0, 0}, {0, 1}});
}

TEST_CASE("captions: boxes count the caption's words from 0 or 1, for any tokenisation") {
  const Folder folder;
  CorpusOptions rules{.source = {}, .target = [](std::string_view text) { return tokenize(text); }};
  const auto read = [&](const std::string& line) {
    return read_captions(folder.captions("p.ppm\t" + line + "\n"), options, rules).pairs.at(0);
  };
  const Pair pair = read("that's red.\t0,0,2,2-0 7,3,1,1-1");
  CHECK(pair.target == Tokens{"that", "'s", "red", "."});
  CHECK(pair.gold->possible == Links{{0, 0}, {0, 1}, {7, 2}, {7, 3}});
  CHECK(has(user_error([&] { read("a \u200B\t0,0,2,2-1"); }), "box 0,0,2,2-1: the tokeniser removes word 1"));
  rules.first_word = 1;
  CHECK(read("that's red.\t7,3,1,1-2").gold->possible == Links{{7, 2}, {7, 3}});
  CHECK(has(user_error([&] { read("a b\t0,0,2,2-0"); }), "names word 0, but the caption has 2 words, counted from 1"));
}

TEST_CASE("captions: invalid lines are refused by file and line") {
  const Folder folder;
  const auto refused = [&](const std::string& line, const CorpusOptions& rules = {}) {
    const std::string path = folder.captions("p.ppm\tfine\n" + line + "\n");
    const std::string message = user_error([&] { read_captions(path, options, rules); });
    CHECK(has(message, path + ":2: "));
    return message;
  };
  CHECK(has(refused("p.ppm"), "the line has no tab; the form must be picture<TAB>caption"));
  CHECK(has(refused(""), "the line is blank"));
  CHECK(has(refused("p.ppm\ta\t\t\tb"), "5 columns"));
  CHECK(has(refused("p.ppm\t "), "the caption's side is empty"));
  CHECK(has(refused("q.ppm\ta"), "q.ppm"));
  CHECK(has(refused("p.ppm\ta\t0,0,2,2-1"), "names word 1, but the caption has 1"));
  CHECK(has(refused("p.ppm\ta\t0,0,9,2-0"), "is not inside the picture of 8 x 4"));
  CHECK(has(refused("p.ppm\ta\t8,0,1,1-0"), "not inside"));
  CHECK(has(refused("p.ppm\ta\t1,0,8,1-0"), "not inside"));
  CHECK(has(refused("p.ppm\ta\t0,1,1,4-0"), "not inside"));
  CHECK(has(refused("p.ppm\ta\t0,0,2,5-0"), "is not inside the picture of 8 x 4"));
  CHECK(has(refused("p.ppm\ta\t0,0,0,1-0"), "not inside"));
  CHECK(has(refused("p.ppm\ta\t0,0,18446744073709551615,1-0"), "not inside"));
  for (const std::string box : {"0,0,1-0", "0,0,1,1", "0,0,1,1-x", "-1,0,1,1-0", "0,0,1,1,1-0"})
    CHECK(has(refused("p.ppm\ta\t" + box), "\"" + box +
                                               "\" is not a box. Write X,Y,W,H-J: left, top, width and height in "
                                               "pixels, and the number of the word, counted from"));
  CHECK(has(refused("p.ppm\ta b\t\ttwo words"), "not a list of tags"));
  CHECK(has(refused("p.ppm\ta b", at_most(1)), "the caption has 2 words, but the limit is 1"));
  const Corpus rest = read_captions(folder.captions("p.ppm\ta b\np.ppm\ta\n"), options, at_most(1, TooLong::drop));
  CHECK(rest.dropped == 1);
  CHECK(rest.pairs.size() == 1);
}
