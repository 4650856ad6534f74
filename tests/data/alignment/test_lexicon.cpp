#include "data/alignment/lexicon.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

TEST_CASE("the lexicon has the most frequent translation of each linked word") {
  LinkCounts counts;
  counts.add({"the", "cat"}, {"le", "chat"}, {{0, 0}, {1, 1}});
  counts.add({"the", "car"}, {"la", "voiture"}, {{0, 0}});
  counts.add({"the", "dog", "the"}, {"le", "chien"}, {{0, 0}, {2, 1}, {1, 1}});
  const Lexicon lexicon = counts.lexicon();
  REQUIRE(lexicon.size() == 3);
  CHECK(lexicon.at("cat").word == "chat");
  CHECK(lexicon.at("the").word == "le");
  CHECK(lexicon.at("the").probability == Approx(.5));
  CHECK(lexicon.at("dog").probability == 1);
  CHECK(format_lexicon(lexicon) == "cat\tchat\t1.000000\ndog\tchien\t1.000000\nthe\tle\t0.500000\n");
  SECTION("the first of equals in byte order is chosen") {
    counts.add({"cat"}, {"Chatte"}, {{0, 0}});
    CHECK(counts.lexicon().at("cat").word == "Chatte");
  }
  SECTION("the file is read back") {
    const TemporaryFolder folder;
    const Lexicon back = read_lexicon(folder.file("l.tsv", format_lexicon(lexicon)));
    CHECK(format_lexicon(back) == format_lexicon(lexicon));
  }
}

TEST_CASE("a bad lexicon is refused by file and line") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& line) {
    const std::string path = folder.file("l.tsv", "a\tb\t1\n" + line + "\n");
    const std::string message = user_error([&] { read_lexicon(path); });
    return message.starts_with(path + ":2: ") ? message.substr(path.size()) : "no line: " + message;
  };
  CHECK(has(error("c\td"), ":2: the line has 2 columns. The expected form is source<TAB>target<TAB>probability"));
  CHECK(has(error(""), ":2: the line has 1 column. "));
  CHECK(has(error("c\td\t1\t2"), "4 columns"));
  CHECK(has(error("c d\te\t1"), "\"c d\" is not a word"));
  CHECK(has(error("\te\t1"), "\"\" is not a word"));
  CHECK(has(error("c\t\t1"), "\"\" is not a word"));
  for (const std::string number : {"2", "-1", "nan", "", "x", "0.5x"}) {
    CHECK(has(error("c\td\t" + number), "\"" + number + "\" is not a probability"));
  }
  CHECK(has(error("a\td\t1"), "the file already has a translation of \"a\""));
  CHECK(has(error("c\xff\td\t1"), "not valid UTF-8"));
  CHECK(has(user_error([&] { read_lexicon(folder.file("none")); }), "No such file"));
}

TEST_CASE("a table has several translations of a word and of the empty word") {
  const TemporaryFolder folder;
  const auto rows = read_table(folder.file("t.tsv", "\tdo\t.25\nchat\tcat\t0.9\nchat\tkitty\t.1\n"));
  REQUIRE(rows.size() == 3);
  CHECK((rows[0].source.empty() && rows[0].target == "do" && rows[0].probability == .25));
  CHECK((rows[2].source == "chat" && rows[2].target == "kitty" && rows[2].probability == .1));
  CHECK(has(user_error([&] { read_table(folder.file("t.tsv", "a\tb\t1\na\tb\t2\n")); }), "t.tsv:2: \"2\" is not"));
  CHECK(has(user_error([&] { read_table(folder.file("t.tsv", "a\t\t1\n")); }), "\"\" is not a word"));
}

// Luong, Sutskever et al. 2015, section 3.
TEST_CASE("an unknown word is replaced by the word with the largest weight, or its translation") {
  Record r;
  r.source = {"mr", "Smith", "sees", "paris"};
  r.target = {"<unk>", "voit", "<unk>", "<unk>"};
  r.weights.matrix = {
      {.1f, .6f, .1f, .1f, .1f}, {0, 0, 1, 0, 0}, {.1f, .1f, .1f, .2f, .5f}, {.3f, .3f, .2f, .2f, 0}, {0, 0, 0, 0, 1}};
  const Lexicon lexicon{{"paris", {"Paris", 1}}};
  CHECK(replace_unknown(r, lexicon) == 3);
  // Word 0 is copied and word 1 is unchanged. For word 2, </s> has the largest weight but is no word, so paris is
  // translated. For word 3, the first of two equal weights is taken.
  CHECK(r.target == Tokens{"Smith", "voit", "Paris", "mr"});
  CHECK(replace_unknown(r, lexicon) == 0);
  Record empty;
  empty.target = {"<unk>"};
  empty.weights.matrix = {{1}, {1}};
  CHECK(replace_unknown(empty, lexicon) == 0);
  CHECK(empty.target == Tokens{"<unk>"});
  empty.weights.matrix.clear();
  CHECK(has(misuse([&] { replace_unknown(empty, lexicon); }), "no attention"));
  r.attends = Attends::input;
  CHECK(has(misuse([&] { replace_unknown(r, lexicon); }), "no attention for the words that it writes"));
}
