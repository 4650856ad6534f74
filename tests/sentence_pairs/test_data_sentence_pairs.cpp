// Labelled sentence pairs: the words of both sentences with a mark between them, links, and bad lines that are refused.
#include "data/sentence_pairs/sentence_pairs.h"

#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;

namespace {

Corpus read(const std::string& lines, const CorpusOptions& options = {}) {
  const TemporaryFolder folder;
  return read_sentence_pairs(folder.file("t.tsv", lines), options);
}

void refused(const std::string& line, const std::string& says, const CorpusOptions& options = {}) {
  const std::string message = testing::user_error([&] { read("a b\tc\td\n" + line + "\n", options); });
  CHECK_THAT(message, Catch::Contains("t.tsv:2: ") && Catch::Contains(says));
}

}  // namespace

TEST_CASE("sentence pairs: a line gives the words of both sentences, a mark between them, the label, links and tags") {
  const Corpus corpus = read("a red dog\tan animal\tyes\t0-0 2?1\tshort\nit is\tis it\tno\n");
  REQUIRE(corpus.pairs.size() == 2);
  const Pair& pair = corpus.pairs[0];
  CHECK(pair.source == Tokens{"a", "red", "dog", "an", "animal"});
  CHECK(pair.places == Tokens{"a", "red", "dog", "|", "an", "animal"});
  CHECK(pair.parts == std::vector<size_t>{3, 2});
  CHECK(pair.target == Tokens{"yes"});
  CHECK(pair.between == Gold{{{0, 0}}, {{2, 1}}});
  CHECK(pair.tags == std::vector<std::string>{"short"});
  CHECK(pair.source_line == "a red dog | an animal");
  CHECK(pair.target_line == "yes");
  CHECK_FALSE(pair.gold);
  CHECK(format_sentence_pair({"a"}, {"b", "c"}, "yes", {{0, 1}}) == "a\tb c\tyes\t0-1");
}

TEST_CASE("sentence pairs: invalid lines are refused by file and line") {
  refused("", "the line is blank; the form must be premise<TAB>hypothesis<TAB>label");
  refused("a\tb", "2 columns");
  refused("\tb\tc", "the premise side is empty");
  refused("a\t \tc", "the hypothesis side is empty");
  refused("a\tb\tof course", "the label \"of course\" has 2 words");
  refused("a | b\tc\td",
          "the character | occurs in the premise, but it separates the two sentences. Write another character");
  refused("a\tb\tc\t0-1", "0-1");
  refused("a\tb\tc\t1-0", "1-0");
  CorpusOptions options;
  options.max_length = 3;
  refused("a b\tc d\te", "the pair has 4 words, but the limit is 3", options);
  options.too_long = TooLong::drop;
  const Corpus rest = read("a b\tc d\te\na b\tc\td\n", options);
  CHECK((rest.dropped == 1 && rest.pairs.at(0).line == 2));
  refused("a\tb\tc\tall of it", "column 4 is text, \"all of it\", and gold links such as 0-0 1-2 are expected");
}

TEST_CASE("sentence pairs: lines with a blank column are left out, or kept without words") {
  const std::string lines = "a b\tc\td\t1-0\n\ne\t \tf\n\tg\th\n";
  CorpusOptions options;
  options.blank = Blank::drop;
  const Corpus rest = read(lines, options);
  CHECK(rest.blank == 3);
  CHECK(rest.pairs.size() == 1);
  CHECK(testing::has(rest.note, "t.tsv:2: the line is blank. Lines without words are left out"));
  options.blank = Blank::keep;
  const Corpus all = read(lines, options);
  CHECK(all.blank == 0);
  REQUIRE(all.pairs.size() == 4);
  CHECK((all.pairs[2].blank && all.pairs[2].line == 3 && all.pairs[2].source_line == "e" &&
         all.pairs[2].target_line == "f"));
  options.first_word = 1;
  CHECK(read("a b\tc\td\t1-1\n", options).note.empty());
  CHECK(testing::has(read("a b\tc\td\n", options).note, "there are no gold links, so --one-based has no effect"));
}

TEST_CASE("sentence pairs: links count the words of both sentences, for any tokenisation") {
  const CorpusOptions options{.source = [](std::string_view text) { return tokenize(text); }, .target = {}};
  const Corpus corpus = read("it isn't red.\tit's blue\tno\t0-0 1-0 2?1\n", options);  // it is n't red . / it 's blue
  CHECK(corpus.pairs.at(0).parts == std::vector<size_t>{5, 3});
  CHECK(corpus.pairs.at(0).between == Gold{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}, {{3, 2}, {4, 2}}});
  refused("a \u200B\tb\tc\t1-0", "the tokeniser removes word 1 of the premise", options);
}

TEST_CASE("cross-sentence view: a record of two sentences gives the attention of the hypothesis to the premise") {
  Record record;
  record.source = {"a", "b", "|", "c"};
  record.target = {"yes"};
  record.source_eos = record.target_eos = false;
  record.weights.matrix = {{0.5f, 0.25f, 0, 0.25f}};
  record.weights.heads = {
      {0, 0, HeadKind::encoder_self, {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 1, 0}, {0.25f, 0.75f, 0, 0}}}};
  const Record seen = record_across(record);
  CHECK(seen.source == Tokens{"a", "b"});
  CHECK(seen.target == Tokens{"c"});
  CHECK(seen.weights.matrix == Matrix{{0.25f, 0.75f}});
  CHECK(seen.links == Links{{1, 0}});
  CHECK(problem_of(seen) == "");
}

TEST_CASE("cross-sentence view: other heads, missing rows and a missing mark are refused") {
  Record record;
  record.source = {"a", "|", "c"};
  record.target = {"yes"};
  record.weights.matrix = {{0.5f, 0.5f, 0}};
  const auto is_misuse = [&] { CHECK_THROWS_AS(record_across(record), std::invalid_argument); };
  is_misuse();
  record.weights.heads = {{0, 0, HeadKind::encoder_self, {{0, 0, 1}, {0, 0, 1}, {1, 0, 0}}}};
  CHECK(record_across(record).weights.matrix == Matrix{{1}});
  record.weights.heads[0].kind = HeadKind::cross;
  is_misuse();
  record.weights.heads[0].kind = HeadKind::encoder_self;
  record.weights.heads[0].matrix.pop_back();  // each word needs a row
  is_misuse();
  record.weights.heads[0].matrix.push_back({1, 0, 0});
  record.source = {"a", "b", "c"};  // the mark is missing
  is_misuse();
}
