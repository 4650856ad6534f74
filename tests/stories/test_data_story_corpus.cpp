// Stories with questions from files: sentences become positions, gold sentences become links, and bad lines are
// refused.
#include "data/stories/story_corpus.h"

#include "data/corpus/batches.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::user_error;

namespace {

struct Folder : TemporaryFolder {
  std::string stories(const std::string& lines) const { return file("t.tsv", lines); }
};

Corpus read(const std::string& lines, const CorpusOptions& options = {}) {
  const Folder folder;
  return read_stories(folder.stories(lines), options);
}

std::string refusal(const std::string& lines, const CorpusOptions& options = {}) {
  const Folder folder;
  return user_error([&] { read_stories(folder.stories(lines), options); });
}

void has(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) CHECK_THAT(text, Catch::Contains(part));
}

}  // namespace

TEST_CASE("stories: lines with a blank column are left out, or kept without words") {
  const std::string lines = "it rained\thow is it\twet\n\n\thow is it\twet\nit rained\thow is it\t \n";
  CorpusOptions options;
  options.blank = Blank::drop;
  const Corpus rest = read(lines, options);
  CHECK(rest.blank == 3);
  CHECK(rest.pairs.size() == 1);
  options.blank = Blank::keep;
  const Corpus all = read(lines, options);
  REQUIRE(all.pairs.size() == 4);
  CHECK((all.pairs[3].blank && all.pairs[3].line == 4 && all.pairs[3].source_line == "it rained"));
}

TEST_CASE(
    "stories: sentences are positions, all words are the source, the answer is the target, and gold gives links") {
  const Corpus corpus = read(
      "mary  went out | it rained|mary came back\twhere is mary ?\tback\t2 0\tmoves,long\n"
      "it rained\thow is it\twet\n");
  REQUIRE(corpus.pairs.size() == 2);
  const Pair& pair = corpus.pairs[0];
  CHECK(pair.places == Tokens{"mary went out", "it rained", "mary came back"});
  CHECK(pair.question == "where is mary ?");
  CHECK(pair.parts == std::vector<size_t>{3, 2, 3, 4});
  CHECK(join_words(pair.source) == "mary went out it rained mary came back where is mary ?");
  CHECK(pair.target == Tokens{"back"});
  REQUIRE(pair.gold);
  CHECK(pair.gold->sure == Links{{0, 0}, {2, 0}});
  CHECK(pair.tags == Tokens{"moves", "long"});
  CHECK(corpus.pairs[1].line == 2);
  CHECK_FALSE(corpus.pairs[1].gold);
}

TEST_CASE("stories: gold may count from 1, and long stories are left out or refused") {
  CorpusOptions options;
  options.first_word = 1;
  CHECK(read("a b | c\td\te\t2\n", options).pairs[0].gold->sure == Links{{1, 0}});
  has(refusal("a b | c\td\te\t0\n", options),
      {"t.tsv:1: ", "\"0\" is not the number of a sentence of the story. Write numbers from", "from 1 to 2"});
  options.max_length = 3;
  has(refusal("a b | c\td\te\n", options), {"t.tsv:1: ", "the story has 4 words, but the limit is 3"});
  options.too_long = TooLong::drop;
  CHECK(read("a b | c\td\te\na\td\te\n", options).dropped == 1);
  has(refusal("a b | c\td\te\n", options), {"all 1 stories are longer than 3 words"});
}

TEST_CASE("stories: invalid lines are refused by file and line") {
  const std::string good = "a | b\tc\td\t0\n";
  has(refusal(good + "\n"),
      {"t.tsv:2: the line is blank; the form must be sentence | sentence<TAB>question<TAB>answer"});
  has(refusal(good + "a | b\tc\n"), {"t.tsv:2: the line has 2 columns"});
  has(refusal(good + "a\tb\tc\t0\td\te\n"), {"t.tsv:2: the line has 6 columns"});
  has(refusal(good + "a | | b\tc\td\n"), {"t.tsv:2: sentence 2 has no words"});
  has(refusal(good + "\tc\td\n"), {"t.tsv:2: sentence 1 has no words"});
  has(refusal(good + "a\t \td\n"), {"t.tsv:2: the question has no words"});
  has(refusal(good + "a\tb\t\n"), {"t.tsv:2: the answer side is empty"});
  has(refusal(good + "i see\tje vois\t0-0 1-1\n"), {"t.tsv:2: column 3 has gold links, \"0-0 1-1\", but the answer is "
                                                    "expected there. So the file has sentence pairs",
                                                    "and no stories with questions"});
  has(refusal(good + "a\tb\tnew york\n"),
      {"t.tsv:2: the answer \"new york\" has 2 words, and the model writes only one word", "new_york"});
  for (const std::string gold : {"2", "-1", "0-0", "one", "0,1", "99999999999999999999"})
    has(refusal(good + "a | b\tc\td\t" + gold + "\n"),
        {"t.tsv:2: \"" + gold + "\" is not the number of a sentence of the story. Write numbers from", "from 0 to 1"});
  has(refusal(good + "a | b\tc\td\t1 1\n"), {"t.tsv:2: gold \"1 1\" names a sentence twice"});
  has(refusal(good + "a | b\tc\td\t\tx y\n"), {"t.tsv:2: ", "list of tags"});
}

TEST_CASE("stories: written stories are read back, and each encoded part ends with its mark") {
  const std::string line = format_story({{"a", "b"}, {"c"}}, {"b", "?"}, "c", {0, 1});
  CHECK(line == "a b | c\tb ?\tc\t0 1");
  const std::vector<Pair> pairs = read(line + "\n").pairs;
  const Vocabulary words({"a", "b", "c", "?"});
  const EncodedPair encoded = encode(pairs, words, words).front();
  CHECK(encoded.source == Ids{4, 5, end_id, 6, end_id, 5, 7});
  CHECK(encoded.places == 2);
  const Batch batch = make_batch({encoded}, {0});
  CHECK(batch.source == Ids{4, 5, end_id, 6, end_id, 5, 7, end_id});
  CHECK(batch.places == std::vector<size_t>{2});
  CHECK(most_places(batch) == 2);
  CHECK(with_ends({4, 5}, {}) == Ids{4, 5});
}

TEST_CASE("stories: words come from the tokeniser, and positions show the sentences as they were written") {
  CorpusOptions options;
  options.source = [](std::string_view text) { return tokenize(text); };
  const Pair pair = read("Mary didn't go.|it rained\twho went?\tnobody\n", options).pairs.at(0);
  CHECK(pair.source == Tokens{"mary", "did", "n't", "go", ".", "it", "rained", "who", "went", "?"});
  CHECK(pair.parts == std::vector<size_t>{5, 2, 3});
  CHECK(pair.places == Tokens{"Mary didn't go.", "it rained"});
  Pair none;
  has(user_error([&] { set_story(none, {}, "who went ?", {}, "story.txt"); }),
      {"story.txt: a story without a sentence"});
}
