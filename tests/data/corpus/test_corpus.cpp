#include "data/corpus/corpus.h"

#include "data/corpus/columns.h"
#include "data/corpus/overlap.h"
#include "data/corpus/parts.h"
#include "data/corpus/readers.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

namespace {

const Tokenize words = [](std::string_view text) { return tokenize(text); };

std::string error_in(const std::string& text, const CorpusOptions& options = {}) {
  const TemporaryFolder folder;
  return user_error([&] { read_tsv(folder.file("x.tsv", text), options); });
}

std::string repeated(const std::string& word, size_t n) {
  std::string text;
  for (size_t i = 0; i < n; ++i) text += (i ? " " : "") + word;
  return text;
}

}  // namespace

TEST_CASE("a TSV corpus has two to four columns and is read back") {
  const TemporaryFolder folder;
  const std::string text = "i love you\tje t' aime\t0-0 1-2 2?1\tclitic,present\nyes\toui\t\t\n";
  const Corpus corpus = read_tsv(folder.file("a.tsv", "\xEF\xBB\xBF" + text));
  REQUIRE(corpus.pairs.size() == 2);
  const Pair& pair = corpus.pairs[0];
  CHECK(pair.source == Tokens{"i", "love", "you"});
  CHECK(pair.target == Tokens{"je", "t'", "aime"});
  CHECK(pair.gold == Gold{{{0, 0}, {1, 2}}, {{2, 1}}});
  CHECK(pair.tags == Tokens{"clitic", "present"});
  CHECK(corpus.pairs[1].line == 2);
  CHECK_FALSE(corpus.pairs[1].gold.has_value());
  CHECK(format_tsv(corpus.pairs) == text);
  CHECK(format_tsv({corpus.pairs[1]}) == "yes\toui\n");
  CHECK(read_tsv(folder.file("b.tsv", "yes\toui\r\n")).pairs[0].target == Tokens{"oui"});
}

TEST_CASE("texts: a line is a target without a source, and a TSV file gives its second or first column") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt", "the cat sat\n\n \nle\tchat\t0-0\nit ran off again\n");
  const CorpusOptions three{.source = {}, .target = {}, .max_length = 3, .too_long = TooLong::drop};
  const Corpus corpus = read_texts(path, false, three);
  REQUIRE(corpus.pairs.size() == 2);
  CHECK(corpus.dropped == 1);
  CHECK(corpus.pairs[0].source.empty());
  CHECK(corpus.pairs[0].target == Tokens{"the", "cat", "sat"});
  CHECK((corpus.pairs[1].target == Tokens{"chat"} && corpus.pairs[1].line == 4));
  CHECK(read_texts(path, true).pairs[1].target == Tokens{"le"});
  const auto said = [&](const std::string& text, const CorpusOptions& options) {
    return user_error([&] { read_texts(folder.file("x.txt", text), false, options); });
  };
  const std::string twice = "a b . a b\ta b . a b\t";
  CHECK(read_texts(folder.file("b.tsv", twice + "1-4\n"), false).pairs[0].gold == Gold{{{1, 4}}, {}});
  CHECK_FALSE(read_texts(folder.file("c.tsv", twice + "\n"), false).pairs[0].gold.has_value());
  CHECK_FALSE(read_texts(folder.file("d.tsv", "a b\tb a\t1-0\n"), false).pairs[0].gold.has_value());
  CHECK(has(said(twice + "1-5\n", {}), "x.txt:1: "));
  const Pair cut = read_texts(folder.file("e.tsv", "don't .\tdon't .\t0-1\n"), false, {words, words}).pairs[0];
  CHECK(cut.gold == Gold{{{0, 2}, {1, 2}}, {}});  // the tokens are do n't .
  CHECK(cut.written == WrittenGold{{{{0, 1}}, {}}, {0, 0, 1}, {0, 0, 1}});
  CHECK(has(said("\n \n", {}), "x.txt: the file has no text. Write one text per line"));
  CHECK(has(said("a\n1 2 3 4\n", {.source = {}, .target = {}, .max_length = 3}), "x.txt:2: the text has 4 words"));
  CHECK(has(said("1 2 3 4\n", three), "x.txt: all 1 texts are longer than 3 words"));
}

TEST_CASE("words are separated by spaces and tabs, and other white space is part of a word") {
  CHECK(split_words("  i \t love  you ") == Tokens{"i", "love", "you"});
  CHECK(split_words("").empty());
  CHECK(split_words(" \t ").empty());
  for (const std::string inside :
       {"\v", "\f", "\x1C", "\u0085", "\u00A0", "\u2003", "\u200B", "\u2028", "\u202F", "\u3000"}) {
    CHECK(split_words("oui" + inside + "! " + inside) == Tokens{"oui" + inside + "!", inside});
    const TemporaryFolder folder;
    const std::string path = folder.file("a.tsv", "yes! thanks\toui" + inside + "! merci\t0-0 1-1\n");
    CHECK(read_tsv(path).pairs[0].target == Tokens{"oui" + inside + "!", "merci"});
    CHECK(format_tsv(read_tsv(path).pairs) == "yes! thanks\toui" + inside + "! merci\t0-0 1-1\n");
  }
}

TEST_CASE("sides are tokenised by the caller's function, or split at spaces and tabs") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.tsv", "I am.\tJe\u202Fl'ai.\n");
  CHECK(read_tsv(path).pairs[0].target == Tokens{"Je\u202Fl'ai."});
  CHECK(read_tsv(path, {words, words}).pairs[0].target == Tokens{"je", "l'", "ai", "."});
}

TEST_CASE("bad input: a line with no tab") {
  CHECK(has(error_in("a\tb\nhello\n"), "x.tsv:2: the line has no tab; the form must be source<TAB>target"));
  CHECK(has(error_in("a\tb\n\n"), "x.tsv:2: the line is blank"));
}

TEST_CASE("bad input: an empty side") {
  CHECK(has(error_in("a\tb\n\tb\n"), "x.tsv:2: the source side is empty"));
  CHECK(has(error_in("a\t  \n"), "x.tsv:1: the target side is empty"));
  CHECK(error_in("a\t \u00A0\n") == "");
  CHECK(has(error_in("a\t \u00A0\n", {words, words}), "x.tsv:1: the target side is empty"));
  CHECK(has(error_in("a\t\u00AD\n", {words, words}), "x.tsv:1: the target side is empty"));
}

TEST_CASE("bad input: too many columns, or invalid tags") {
  CHECK(has(error_in("a\tb\t0-0\tx\ty\n"), "x.tsv:1: the line has 5 columns; the form must be"));
  CHECK(has(error_in("a\tb\t0-0\tx,,y\n"), "x.tsv:1: \"x,,y\" is not a list of tags"));
  CHECK(has(error_in("a\tb\t0-0\tx y\n"), "is not a list of tags"));
}

TEST_CASE("bad input: links of a corpus are checked with file and line") {
  CHECK(has(error_in("a\tb\t0-0\na\tb\t0-1\n"), "x.tsv:2: link 0-1: the target has 1 word,"));
  CHECK(error_in("a b c\td\t2-0\n") == "");
  CHECK(has(error_in("a b c\td\t0-2\n"), "x.tsv:1: link 0-2: the target has 1 word,"));
  CHECK(has(error_in("a\tb\t0-0 noun\n"), "x.tsv:1: \"noun\" is not a link"));
}

TEST_CASE("gold links count the words of the lines and become links between their tokens") {
  const TemporaryFolder folder;
  const auto pair = [&](const std::string& line) {
    return read_tsv(folder.file("x.tsv", line + "\n"), {words, words}).pairs.at(0);
  };
  const Pair same = pair("i am .\tje suis .\t0-0 2?1");
  CHECK(same.gold == Gold{{{0, 0}}, {{2, 1}}});
  CHECK_FALSE(same.written.has_value());
  CHECK(gold_over_words(same) == *same.gold);
  CHECK(links_over_words({{2, 1}, {0, 0}}, same) == Links{{0, 0}, {2, 1}});

  const Pair cut = pair("Don't go.\tN'y va pas.\t0-0 0?2 1-1");  // tokens: do n't go . / n' y va pas .
  CHECK(cut.gold == Gold{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {3, 2}}, {{0, 3}, {0, 4}, {1, 3}, {1, 4}}});
  CHECK(cut.written == WrittenGold{{{{0, 0}, {1, 1}}, {{0, 2}}}, {0, 0, 1, 1}, {0, 0, 1, 2, 2}});
  CHECK(gold_over_words(cut) == Gold{{{0, 0}, {1, 1}}, {{0, 2}}});
  CHECK(links_over_words({{0, 0}, {1, 1}, {3, 4}, {2, 2}}, cut) == Links{{0, 0}, {1, 1}, {1, 2}});

  // The zero-width space is a word of the line but no token, and "us." is two tokens. The numbers of words and tokens
  // are equal by chance.
  const Pair chance = pair("we \u200B follow us.\tnous suivons .\t0-0 3-1 3-2");
  CHECK(chance.source == Tokens{"we", "follow", "us", "."});
  CHECK(chance.gold == Gold{{{0, 0}, {2, 1}, {2, 2}, {3, 1}, {3, 2}}, {}});
  CHECK(chance.written->source == std::vector<size_t>{0, 2, 3, 3});
}

TEST_CASE("bad input: a gold link to a word that the tokeniser drops") {
  CHECK(has(error_in("we \u200B go\ta b c\t0-0 1-1\n", {words, words}),
            "x.tsv:1: link 1-1 (from 0): the tokeniser removes word 1 of the source,"));
  CHECK(error_in("we \u200B go\ta b c\t0-0 2-1\n", {words, words}) == "");
}

TEST_CASE("bad input: a third column of text, as the pairs of Tatoeba have") {
  CHECK(has(error_in("Go.\tVa !\tCC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM)\n", {words, words}),
            "x.tsv:1: column 3 is text, \"CC-BY 2.0 (France) Attribution: tatoeba."));
  const TemporaryFolder folder;
  const std::string source = folder.file("en", "a\n"), target = folder.file("fr", "b\n");
  CHECK(has(user_error([&] { read_parallel(source, target, folder.file("gold", "a\n")); }),
            "gold:1: this line is text, \"a\", but gold links such as 0-0 1-2 are expected"));
}

TEST_CASE("bad input: the command for a column of text names the file if there is one") {
  const Tokenize none;
  const Tokens tokens{"a"};
  const std::string side = "a", text = "of text";
  const auto said = [&](const std::string& where) {
    return user_error([&] {
      read_gold({text, where, 3}, {side, tokens, none, "source"}, {side, tokens, none, "target"}, 0);
    });
  };
  CHECK(said("x.tsv:1").ends_with("To remove this column: cut -f1-2 x.tsv"));
  for (const char* where : {"standard input:1", "-:1", "line 1"})
    CHECK(said(where).ends_with("To remove this column: cut -f1-2 FILE"));
  const std::string number = "12", empty;
  const auto said_after = [&](const std::string& source) {
    return user_error([&] {
      read_gold({text, "x.tsv:1", 3}, {source, tokens, none, "source"}, {side, tokens, none, "target"}, 0);
    });
  };
  CHECK(said_after(number).ends_with("keeps only these columns: cut -f2-3 x.tsv"));
  CHECK(said_after(empty).ends_with("To remove this column: cut -f1-2 x.tsv"));
}

TEST_CASE("tokens that a tokeniser does not make of the words are misuse") {
  const Tokenize none;
  const Tokens tokens{"ab"};
  const std::string text = "a b";
  CHECK_THROWS_WITH(words_of_tokens({text, tokens, none, "source"}),
                    "the tokens of \"a b\" are not those of its words");
}

TEST_CASE("a note reports validation pairs that are in the training data, from a fifth of them") {
  std::vector<Pair> valid;
  for (const char* word : {"a", "b", "c", "d", "e"})
    valid.push_back({.source = {word}, .target = {word}, .gold = {}, .tags = {}});
  const std::vector<Pair> train{valid[2]};
  CHECK(has(note_of_overlap(train, valid),
            "note: 1 of the 5 validation pairs is also in the training data, so the model may know its translation"));
  CHECK(has(note_of_overlap({valid[2], valid[0]}, valid), "note: 2 of the 5 validation pairs are also"));
  CHECK(has(note_of_overlap(valid, {valid[0]}), "note: the only validation pair is also"));
  valid.push_back({.source = {"f"}, .target = {"f"}, .gold = {}, .tags = {}});
  CHECK(note_of_overlap(train, valid).empty());
  CHECK(note_of_overlap(train, {}).empty());
}

TEST_CASE("bad input: a corpus that has too few pairs or sources for its parts") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& text, const PartSizes& sizes) {
    return user_error([&] { cut_into_parts(folder.file("x.tsv", text), sizes, 1); });
  };
  CHECK(has(said("a\tb\n", {1, 1}), "x.tsv has 1 pair, so --valid 1 and --test 1 leave no training pairs"));
  CHECK(has(said("a\tb\nc\td\n", {1, 1}), "x.tsv has 2 pairs, so"));
  CHECK(has(said("a\tb\na\tc\na\td\n", {0, 1}), "x.tsv has 1 different sources in 3 pairs"));
  CHECK(has(said("a\tb\na\tc\na\td\n", {1, 0}), "x.tsv has 1 different sources in 3 pairs"));
}

TEST_CASE("a note reports a corpus whose links never name word 0, unless links count from 1") {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.tsv", "a b c\td e f\t1-1 2-2\na b\tc d\t1-1\n");
  CHECK(has(read_tsv(path).note, "x.tsv: none of the 3 links contains word 0 of either side. If the file counts"));
  CHECK(read_tsv(path, {.source = {}, .target = {}, .first_word = 1}).note.empty());
  CHECK(read_tsv(folder.file("y.tsv", "a b c\td e f\t0-0 1-1 2-2\n")).note.empty());
  const std::string side = folder.file("side", "a b c d\n");
  CHECK(has(read_parallel(side, side, folder.file("gold", "1-1 2-2 3-3\n")).note, "gold: none of the 3 links"));
}

TEST_CASE("bad input: a line of 5,000 words is left out and counted in training, and an error elsewhere") {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.tsv", "a\tb\na\t" + repeated("b", 5000) + "\nc\td\n");
  CHECK(read_tsv(path).pairs.size() == 3);
  const Corpus corpus = read_tsv(path, {{}, {}, 50, TooLong::drop});
  CHECK(corpus.pairs.size() == 2);
  CHECK(corpus.dropped == 1);
  CHECK(corpus.pairs[1].line == 3);
  const std::string message = user_error([&] { read_tsv(path, {{}, {}, 50, TooLong::refuse}); });
  CHECK(has(message, "x.tsv:2: the target side has 5000 words, but the limit is 50"));
  CHECK(read_tsv(path, {{}, {}, 5000, TooLong::refuse}).pairs.size() == 3);
  CHECK(has(user_error([&] {
              read_tsv(folder.file("y.tsv", "a b\tc\n"), {{}, {}, 1, TooLong::drop});
            }),
            "all 1 pairs are longer than 1 words"));
}

TEST_CASE("pairs with a blank side are refused, counted and left out, or kept") {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.tsv", "a\tb\t0-0\n\n \t\na\t\n\tb\t\ttag\nc\td\n\n\n");
  CHECK(has(user_error([&] { read_tsv(path); }), "x.tsv:2: the line is blank"));
  CorpusOptions options;
  options.blank = Blank::drop;
  const Corpus rest = read_tsv(path, options);
  CHECK(rest.blank == 6);
  CHECK(has(rest.note, "x.tsv:2: the line is blank. Lines without words are left out\n"));
  REQUIRE(rest.pairs.size() == 2);
  CHECK(rest.pairs[1].line == 6);
  options.blank = Blank::keep;
  const Corpus all = read_tsv(path, options);
  REQUIRE(all.pairs.size() == 8);
  CHECK(all.blank == 0);
  for (size_t i = 0; i < 8; ++i) {
    CHECK(all.pairs[i].line == i + 1);
    CHECK(all.pairs[i].blank == (i != 0 && i != 5));
  }
  CHECK(all.pairs[4].tags == Tokens{"tag"});
  const std::string source = folder.file("en", "a\n\nc\n\n"), target = folder.file("fr", "a\nb\n \n\n");
  CHECK(read_parallel(source, target, "", options).pairs.size() == 4);
  CHECK(read_texts(source, false, options).pairs.size() == 4);
  CHECK(read_texts(source, false).pairs.size() == 2);
  options.blank = Blank::drop;
  CHECK(read_parallel(source, target, "", options).blank == 3);
  CHECK(has(read_parallel(source, target, "", options).note, "en:2: the line has no words. Such pairs are left out\n"));
  CHECK(has(read_tsv(folder.file("s.tsv", "a\tb\na\t\tb\na\t\n"), options).note,
            "s.tsv:2: column 2 is empty. Lines like this one are left out, but column 3 has text"));
  CHECK(has(read_tsv(folder.file("l.tsv", "a\tb\na\t\t0-0\n"), options).note,
            "l.tsv:2: column 2 is empty. Lines like this one are left out\n"));
  CorpusOptions without_x = options;
  without_x.source = [](std::string_view text) { return text == "x" ? Tokens{} : split_words(std::string(text)); };
  CHECK(has(read_tsv(folder.file("d.tsv", "a\tb\nx\tb\n"), without_x).note,
            "d.tsv:2: a side has no words. Lines like this one are left out\n"));
  CHECK(has(read_parallel(source, folder.file("to", "a\nb\nc\nd\n"), "", options).note, "en:2: the line has no words"));
  CHECK(
      has(read_parallel(folder.file("from", "a\nb\nc\nd\n"), target, "", options).note, "fr:3: the line has no words"));
  CHECK(has(user_error([&] { read_tsv(folder.file("y.tsv", "\n\n"), options); }), "all 2 pairs have a blank side"));
  options.max_length = 1;
  options.too_long = TooLong::drop;
  CHECK(has(user_error([&] { read_tsv(folder.file("z.tsv", "\na b\tc\n"), options); }),
            "there are no pairs that can be used, because 1 have a blank side, and 1 are longer than 1 words. "
            "--max-length raises this limit"));
  CHECK(has(user_error([&] { read_tsv(folder.file("t.tsv", "no tab\n"), options); }), "t.tsv:1: the line has no tab"));
  options.blank = Blank::keep;
  CHECK(has(user_error([&] { read_tsv(folder.file("g.tsv", "a\t\t0-0\n"), options); }), "the target has 0 words"));
}

TEST_CASE("parallel files are read with and without alignment") {
  const TemporaryFolder folder;
  const std::string source = folder.file("en", "i see\nyes\n"), target = folder.file("fr", "je vois\noui\n");
  const Corpus plain = read_parallel(source, target);
  REQUIRE(plain.pairs.size() == 2);
  CHECK(plain.pairs[0].target == Tokens{"je", "vois"});
  CHECK_FALSE(plain.pairs[0].gold.has_value());
  const Corpus aligned = read_parallel(source, target, folder.file("gold", "0-0 1-1\n0-0\n"));
  CHECK(aligned.pairs[0].gold == Gold{{{0, 0}, {1, 1}}, {}});
}

TEST_CASE("bad input: errors in parallel files name the file") {
  const TemporaryFolder folder;
  const std::string source = folder.file("en", "a\nb\n"), target = folder.file("fr", "a\n \n");
  CHECK(has(user_error([&] { read_parallel(source, target); }), "fr:2: the target side is empty"));
  CHECK(has(user_error([&] { read_parallel(source, folder.file("one", "a\n")); }), "one has 1 line, but "));
  CHECK(has(user_error([&] { read_parallel(folder.file("short", "a\n"), source); }), "en has 2 lines, but "));
  const std::string full = folder.file("full", "a\nb\n");
  CHECK(has(user_error([&] { read_parallel(source, full, folder.file("gold", "0-0\n")); }), "gold has 1 line, but "));
  CHECK(has(user_error([&] { read_parallel(source, full, folder.file("gold", "0-0\n0-1\n")); }), "gold:2: link 0-1"));
}

TEST_CASE("pairs that no file can represent are not written") {
  CHECK(has(misuse([] { format_tsv({Pair{{"a b"}, {"c"}, {}, {}, 0}}); }), "white space in a token"));
  CHECK(has(misuse([] { format_tsv({Pair{{"a"}, {}, {}, {}, 0}}); }), "empty side"));
}
