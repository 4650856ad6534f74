// The layout of a corpus file: these tests check the tasks of lines, separators instead of tabs, and names of columns.
#include "data/corpus/layout.h"

#include "data/corpus/corpus.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;
using data::task_of_line;

TEST_CASE("the columns of a line determine the kind of corpus") {
  CHECK(task_of_line("i see").empty());
  CHECK(task_of_line("i see\tje vois") == "translation");
  CHECK(task_of_line("i see\tje vois\t0-0 1?1\tshort") == "translation");
  CHECK(task_of_line("i see\tje vois\t0-0 1p1\tshort") == "translation");
  CHECK(task_of_line("i see\tje vois\t\tshort") == "translation");
  CHECK(task_of_line("pictures/1.png\ta cat") == "captioning");
  CHECK(task_of_line("DSC_1.PNG\ta cat") == "captioning");
  CHECK(task_of_line("DSC_1.JPG\ta cat") == "captioning");
  CHECK(task_of_line("1.jpeg\ta cat") == "captioning");
  CHECK(task_of_line("1.ppm\ta cat\t8,0,8,8-1") == "captioning");
  CHECK(task_of_line("a b | c d\twhere ?\tb") == "questions");
  CHECK(task_of_line("a b\twhere ?\tb\t0") == "questions");
  CHECK(task_of_line("a b\tb\tyes\t1-0\tshort") == "entailment");
  CHECK(task_of_line("a b\tb\tyes").empty());
  CHECK(task_of_line("a b\tb\tyes\t\tshort").empty());
}

TEST_CASE("synthetic corpora are recognised") {
  CHECK(task_of_line(data::format_story({{"a", "b"}, {"c"}}, {"where"}, "b", {0, 1})) == "questions");
  CHECK(task_of_line(data::format_story({{"a", "b"}}, {"where"}, "b", {0})) == "questions");
  CHECK(task_of_line(data::format_sentence_pair({"a", "b"}, {"b"}, "yes", {{1, 0}})) == "entailment");
}

TEST_CASE("put_tabs: a file of fast_align becomes a file with tabs") {
  const auto put = [](std::vector<std::string> lines) {
    data::put_tabs(lines, "x.txt");
    return lines;
  };
  using Lines = std::vector<std::string>;
  CHECK(put({"", "a  b ||| c d", " ", "e|||f ||| 0-0", "g ||| "}) == Lines{"", "a  b\tc d", " ", "e\tf\t0-0", "g\t"});
  for (const Lines& same : {Lines{}, Lines{" "}, Lines{"a b"}, Lines{"a ||| b\tc", "d ||| e"}})
    CHECK(put(same) == same);
  CHECK_THROWS_WITH(put({"a ||| b", "", "c d"}),
                    "x.txt:3: the line has no |||. The first line of this file separates the sides by |||, as "
                    "fast_align's files do, so the form must be source ||| target");
  CHECK_THROWS_WITH(put({"a ||| b", "c\td"}), Catch::StartsWith("x.txt:2: the line has a tab. "));
}

TEST_CASE("the message names another separator than a tab, and none for prose") {
  using data::missing_tab;
  const std::string expected = "the form must be source<TAB>target";
  const auto says = [&](const std::string& line, const std::string& text) {
    return missing_tab(line, "x.txt:1", expected).find(text) != std::string::npos;
  };
  CHECK(says("i see ||| je vois", "sed 's/ *||| */\\t/g' x.txt > x.tsv"));
  CHECK(says("i see,je vois", "has a comma"));
  CHECK(says("i see;je vois", "has a semicolon"));
  CHECK(says("\"i see\", \"je vois\"", "csv.reader(sys.stdin, skipinitialspace=True)"));
  CHECK(says("\"i see\", he said", "in their own file, use --source and --target"));
  CHECK(says("\"i see\",\"je vois\"", "csv.reader(sys.stdin, skipinitialspace=True)"));
  CHECK(says("a,b,c", "csv.reader(sys.stdin, skipinitialspace=True)"));
  CHECK(says("\"a\";\"b\"", "csv.reader(sys.stdin, skipinitialspace=True, delimiter=\";\")"));
  for (const char* prose : {"i see, you see; and so on", "1,000 men", "one  ", " one", "a - b", "{x}", ",one", "one,",
                            "one ,two", "  one two", "   "})
    CHECK(says(prose, "in their own file, use --source and --target"));
  CHECK(says("page 1,a", "has a comma"));
  CHECK(says("i see<tab>je vois", "has the word <TAB>"));
  CHECK(missing_tab("a b", "x.csv:1", expected).find("use --source and --target") != std::string::npos);
  CHECK(missing_tab("\"i see\",\"je vois\"", "x.tsv:1", expected).ends_with(" < x.tsv > x.tabs.tsv"));
  CHECK(missing_tab("a, b", "x.csv:1", expected).find("has a comma") != std::string::npos);
  CHECK(missing_tab("a|||b", "x.tsv:2", expected) ==
        "x.tsv:2: the line has no tab; the form must be source<TAB>target. The line has |||, as fast_align's files do, "
        "instead of the tab");
  CHECK(missing_tab("a b", "x.tsv:2", expected) == "x.tsv:2: the line has no tab; the form must be source<TAB>target");
  CHECK(missing_tab("a|||b", "my file.txt.gz:1", expected)
            .ends_with("zcat 'my file.txt.gz' | sed 's/ *||| */\\t/g' > 'my file.tsv'"));
  CHECK(missing_tab("a|||b", "pairs.en:1", expected).ends_with("sed 's/ *||| */\\t/g' pairs.en > pairs.en.tsv"));
}

TEST_CASE("the message names the format of a file that is no table") {
  const auto says = [](const std::string& line, const std::string& text) {
    return data::missing_tab(line, "x.txt:1", "the form must be source<TAB>target").find(text) != std::string::npos;
  };
  CHECK(says("{\\rtf1\\ansi", "an RTF document"));
  for (const char* page : {"<!DOCTYPE html>", "<HTML lang=en>"}) CHECK(says(page, "a web page"));
  for (const char* xml : {"<?xml version=1>", "<tmx version=1.4>", "<srcset setid=1>", "<refset setid=1>"})
    CHECK(says(xml, "looks like XML"));
  for (const char* json : {"{\"en\": 1}", " {\"en\": 1}", "[{\"en\": 1}]", "[\"i see\"]", "[", "{"})
    CHECK(says(json, "looks like JSON"));
}

TEST_CASE("columns 1 and 3 are reported if they are numbers and the sentences are in columns 2 and 4") {
  using data::problem_of_numbers;
  CHECK(problem_of_numbers({"1", "i see", "7", "je vois"}, "x.tsv:1").ends_with("cut -f2,4 x.tsv"));
  CHECK(problem_of_numbers({"1", "i see", "7", ""}, "x.tsv:1").empty());
  CHECK(problem_of_numbers({"1", "i see", "7"}, "x.tsv:1").empty());
}

TEST_CASE("no command is suggested if lines have different numbers of separators") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text, const std::string& first) {
    return data::missing_tab(first, folder.file("x.txt", text) + ":1", "the form must be source<TAB>target");
  };
  const std::string mixed = message("a,b\nc,d,e\n", "a,b");
  CHECK(mixed.find("Some lines have several commas, and only you can tell which one") != std::string::npos);
  CHECK(mixed.find("sed") == std::string::npos);
  CHECK(message("a;b\nc;d;e\n", "a;b").find("several semicolons, and only you") != std::string::npos);
  CHECK(message("a,b\nc,caf\xe9,e\n", "a,b").find("sed ") != std::string::npos);  // the invalid byte is another error
  CHECK(message("a|b\nc|d|e\n", "a|b").find("several characters |, and only you") != std::string::npos);
  CHECK(message("a  b\nc  d   e\n", "a  b").find("several such gaps, and only you") != std::string::npos);
  // A blank line and a line with a tab need no separator, so the command for sed is suggested in all three cases.
  for (const char* same : {"a,b\nc,d\n", "a,b\n\nc,d\n", "a,b\nc\td, e, f\n"})
    CHECK(message(same, "a,b").find("sed ") != std::string::npos);
  CHECK(message("a,b,c\nd,e,f\n", "a,b,c").find("csv.reader") != std::string::npos);
  CHECK(message("a,b,c\nd,e\n", "a,b,c").find("csv.reader") == std::string::npos);
}

TEST_CASE("names of columns and line numbers are reported") {
  using data::note_of_first_lines;
  CHECK_FALSE(note_of_first_lines({"source\ttarget", "a\tb"}, "x").empty());
  CHECK_FALSE(note_of_first_lines({"EN\tFR\tlinks"}, "x").empty());
  CHECK(note_of_first_lines({"source\ttarget"}, "x.gz").find("zcat x.gz | sed 1d > NEW") != std::string::npos);
  CHECK(note_of_first_lines({"english\tanglais"}, "x").empty());
  CHECK(note_of_first_lines({"en\ten"}, "x").empty());
  CHECK(note_of_first_lines({"source"}, "x").empty());
  CHECK(note_of_first_lines({}, "x").empty());
  CHECK_FALSE(note_of_first_lines({"0\ta", "1\tb", "2\tc", "3\td"}, "x").empty());
  CHECK_FALSE(note_of_first_lines({"1\ta", "2\tb", "3\tc", "4\td"}, "x").empty());
  CHECK(note_of_first_lines({"1\ta", "2\tb", "3\tc", "5\td"}, "x").empty());
  CHECK(note_of_first_lines({"7\ta", "8\tb", "9\tc", "10\td"}, "x").empty());
}
