#include "data/alignment/original_words.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::user_error;

namespace {

// "I don't know." and "Je ne  sais pas."
Record record() {
  Record r;
  r.id = 4;
  r.source = {"i", "do", "n't", "know", "."};
  r.target = {"je", "ne", "sais", "pas", "."};
  r.source_original = Original{"I don't know.", {{0, 1}, {2, 4}, {4, 7}, {8, 12}, {12, 13}}};
  r.target_original = Original{"Je ne  sais pas.", {{0, 2}, {3, 5}, {7, 11}, {12, 15}, {15, 16}}};
  r.links = {{0, 0}, {1, 1}, {2, 1}, {2, 3}, {3, 2}, {4, 4}};
  r.gold = Gold{{{0, 0}, {2, 3}}, {{2, 1}, {4, 4}}};
  r.tags = {"negation"};
  return r;
}

}  // namespace

TEST_CASE("links over the original words: those of all their parts, each once") {
  const Record words = over_original_words(record());
  CHECK(words.source == Tokens{"I", "don't", "know."});
  CHECK(words.target == Tokens{"Je", "ne", "sais", "pas."});
  CHECK(words.links == Links{{0, 0}, {1, 1}, {1, 3}, {2, 2}, {2, 3}});
  CHECK(words.gold == Gold{{{0, 0}, {1, 3}}, {{1, 1}, {2, 3}}});
  CHECK(words.tags == record().tags);
  CHECK(words.id == 4);
}

TEST_CASE("gold that is sure between any two parts is sure between the words") {
  Record r = record();
  r.gold = Gold{{{3, 3}}, {{4, 4}}};
  CHECK(over_original_words(r).gold == Gold{{{2, 3}}, {}});
}

TEST_CASE("original words that have no token of their own are counted all the same") {
  Record r = record();
  r.source = {"a", "b"};
  r.source_original = Original{"a \u00AD b", {{0, 1}, {4, 5}}};
  r.links = {{1, 0}};
  r.gold.reset();
  CHECK(over_original_words(r).links == Links{{2, 0}});
}

TEST_CASE("a record that does not know where its words stand is refused, by its number") {
  Record r = record();
  r.target_original.reset();
  CHECK(has(user_error([&] { over_original_words(r); }), "sentence 5: the record does not say where its words stand"));
  r = record();
  r.source_original->spans.clear();
  CHECK(has(user_error([&] { over_original_words(r); }), "sentence 5"));
}

TEST_CASE("weights over the original words: columns of a word's tokens are added, rows averaged, </s> kept") {
  Record r = record();
  r.gold.reset();
  r.matrix = {{1, 0, 0, 0, 0, 0},       {0, .5f, .25f, 0, 0, .25f}, {0, 0, 0, 1, 0, 0},
              {0, .25f, .75f, 0, 0, 0}, {0, 0, 0, .5f, .5f, 0},     {0, 0, 0, 0, 0, 1}};
  r.logprob = {-1, -1, -1, -1, -.5f, -2};
  r.unknown = Unknown{{1, 2, 4}, {3}};
  complete(r);
  const Record words = over_original_words(r);
  CHECK(words.matrix == Matrix{{1, 0, 0, 0}, {0, .75f, 0, .25f}, {0, 0, 1, 0}, {0, .5f, .5f, 0}, {0, 0, 0, 1}});
  CHECK(words.logprob == std::vector<float>{-1, -1, -1, -1.5f, -2});
  CHECK(words.unknown->source == std::vector<size_t>{1, 2});
  CHECK(words.unknown->target == std::vector<size_t>{3});
  CHECK(words.source_original->spans == Spans{{0, 1}, {2, 7}, {8, 13}});
  CHECK(problem_of(words).empty());
  SECTION("a source word without a token gets no weight, in self-attention neither") {
    r.source = {"a", "b"};
    r.source_original = Original{"a \u00AD b", {{0, 1}, {4, 5}}};
    r.target = {"x"};
    r.target_original = Original{"x", {{0, 1}}};
    r.unknown.reset();
    r.logprob.clear();
    r.matrix = {{.25f, .5f, .25f}, {0, 0, 1}};
    r.heads = {{0, 0, "cross", r.matrix}, {0, 0, "encoder-self", {{1, 0, 0}, {0, 1, 0}, {0, .5f, .5f}}}};
    complete(r);
    const Record gap = over_original_words(r);
    CHECK(gap.matrix == Matrix{{.25f, 0, .5f, .25f}, {0, 0, 0, 1}});
    CHECK(gap.heads[0].matrix == gap.matrix);
    CHECK(gap.heads[1].matrix == Matrix{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, .5f, .5f}});
    CHECK(gap.links == Links{{2, 0}});
    CHECK(problem_of(gap).empty());
  }
  SECTION("a target word without a token has no row, so that none are left") {
    r.target_original = Original{"Je ne \u200b sais pas.", {{0, 2}, {3, 5}, {8, 12}, {13, 16}, {16, 17}}};
    const Record gap = over_original_words(r);
    CHECK((gap.matrix.empty() && gap.logprob.empty()));
    CHECK(gap.links == Links{{0, 0}, {1, 1}, {1, 4}, {2, 3}, {2, 4}});
  }
  SECTION("rows of the words that are read are not carried over") {
    r.attends = "input";
    CHECK(over_original_words(r).matrix.empty());
  }
}

TEST_CASE("a record without lines has its tokens for words, where that is accepted") {
  Record r = record();
  r.source_original.reset();
  r.target_original.reset();
  const Record words = over_original_words(r, NoLine::tokens_are_words);
  CHECK(words.source == r.source);
  CHECK(words.links == r.links);
  r.target_original = Original{"je ne sais pas .", {}};  // its words are the tokens
  CHECK(over_original_words(r, NoLine::tokens_are_words).target == r.target);
  r.target_original = Original{"je ne sais pas.", {}};
  CHECK(has(user_error([&] { over_original_words(r, NoLine::tokens_are_words); }),
            "sentence 5: the record has its target line, but does not say where its words stand in it"));
}

TEST_CASE("a token must stand in one word of its line") {
  Record r = record();
  for (const Span& span : {Span{7, 8}, Span{2, 9}, Span{1, 2}}) {
    r.source_original->spans[2] = span;
    CHECK(has(user_error([&] { over_original_words(r); }), "source token 2 is at"));
  }
  r.source_original = Original{"  a", {{0, 1}}};
  r.source = {"a"};
  r.links = {};
  r.gold.reset();
  CHECK(has(user_error([&] { over_original_words(r); }), "source token 0 is at [0,1)"));
}

TEST_CASE("words are placed in their line if the rule makes the same ones of it") {
  const Original placed = placed_in("Don't go", {"do", "n't", "go"}, {}).value();
  CHECK(placed.line == "Don't go");
  CHECK(placed.spans == std::vector<Span>{{0, 2}, {2, 5}, {6, 8}});
  CHECK_FALSE(placed_in("Don't go", {"don't", "go"}, {}));
  CHECK_FALSE(placed_in("Don't go", {"do", "n't"}, {}));
  CHECK_FALSE(placed_in("", {}, {}));
}
