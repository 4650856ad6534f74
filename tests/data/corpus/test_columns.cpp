// What a line of a corpus is of, told by its columns.
#include "data/corpus/columns.h"

#include "data/corpus/corpus.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "tests/catch.h"

using namespace softalign;
using data::task_of_line;

TEST_CASE("a line of each kind of corpus is told from the others by its columns") {
  CHECK(task_of_line("i see") == "language-model");
  CHECK(task_of_line("i see\tje vois") == "translation");
  CHECK(task_of_line("i see\tje vois\t0-0 1?1\tshort") == "translation");
  CHECK(task_of_line("i see\tje vois\t0-0 1p1\tshort") == "translation");
  CHECK(task_of_line("i see\tje vois\t\tshort") == "translation");
  CHECK(task_of_line("pictures/1.png\ta cat") == "captioning");
  CHECK(task_of_line("DSC_1.PNG\ta cat") == "captioning");
  CHECK(task_of_line("1.ppm\ta cat\t8,0,8,8-1") == "captioning");
  CHECK(task_of_line("a b | c d\twhere ?\tb") == "questions");
  CHECK(task_of_line("a b\twhere ?\tb\t0") == "questions");
  CHECK(task_of_line("a b\tb\tyes\t1-0\tshort") == "entailment");
  CHECK(task_of_line("a b\tb\tyes").empty());
  CHECK(task_of_line("a b\tb\tyes\t\tshort").empty());
}

TEST_CASE("what is drawn is told for what it is") {
  CHECK(task_of_line(data::format_story({{"a", "b"}, {"c"}}, {"where"}, "b", {0, 1})) == "questions");
  CHECK(task_of_line(data::format_story({{"a", "b"}}, {"where"}, "b", {0})) == "questions");
  CHECK(task_of_line(data::format_sentence_pair({"a", "b"}, {"b"}, "yes", {{1, 0}})) == "entailment");
}
