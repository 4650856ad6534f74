#include "data/alignment/original_words.h"

#include "tests/catch.h"
#include "tests/data/helpers.h"

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

TEST_CASE("words are placed in their line if the rule makes the same ones of it") {
  const Original placed = placed_in("Don't go", {"do", "n't", "go"}, {}).value();
  CHECK(placed.line == "Don't go");
  CHECK(placed.spans == std::vector<Span>{{0, 2}, {2, 5}, {6, 8}});
  CHECK_FALSE(placed_in("Don't go", {"don't", "go"}, {}));
  CHECK_FALSE(placed_in("Don't go", {"do", "n't"}, {}));
  CHECK_FALSE(placed_in("", {}, {}));
}
