#include <cmath>

#include "data/alignment/word_level.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;
using testing::user_error;

namespace {

// Both sides have two words and </s>. The source words have 1 + 2 subwords, the target words 2 + 1.
const std::vector<size_t> source{0, 1, 1}, target{0, 0, 1};
const Matrix subwords{{.5f, .25f, .125f, .125f}, {.25f, .25f, .25f, .25f}, {0, .5f, .5f, 0}, {0, 0, 0, 1}};
const Matrix words{{.375f, .4375f, .1875f}, {0, 1, 0}, {0, 0, 1}};

}  // namespace

TEST_CASE("attention is summed over a source word's subwords and averaged over a target word's") {
  CHECK(merge_subwords(subwords, source, target) == words);
  SECTION("without </s> on one side") {
    CHECK(merge_subwords({subwords[0], subwords[1], subwords[2]}, source, target) == Matrix{words[0], words[1]});
    CHECK(merge_subwords({{.5f, .25f, .25f}, {.5f, 0, .5f}, {0, 1, 0}}, source, target) == Matrix{{.5f, .5f}, {0, 1}});
  }
  SECTION("unsplit words stay unchanged") { CHECK(merge_subwords(subwords, {0, 1, 2}, {0, 1, 2}) == subwords); }
  SECTION("an empty translation has only </s>") {
    CHECK(merge_subwords({{.5f, .25f, .125f, .125f}}, source, {}) == Matrix{{.5f, .375f, .125f}});
  }
  SECTION("a subword without attention, such as the first of an LSTMN, is left out of the mean") {
    const std::vector<float> nothing(4);
    CHECK(merge_subwords({nothing, subwords[1], subwords[2], subwords[3]}, source, target) ==
          Matrix{{.25f, .5f, .25f}, words[1], words[2]});
    CHECK(merge_subwords({nothing, nothing, subwords[2], subwords[3]}, source, target) ==
          Matrix{{0, 0, 0}, words[1], words[2]});
  }
  SECTION("rows over an empty source stay empty") {
    CHECK(merge_subwords(Matrix(3), {}, target) == Matrix(2));
    CHECK(merge_subwords(Matrix(), {}, {}).empty());
  }
  CHECK(has(misuse([] { merge_subwords(subwords, {0, 1}, target); }), "4 source positions for 2 subwords"));
  CHECK(has(misuse([] { merge_subwords(subwords, source, {0}); }), "4 target positions for 1 subwords"));
}

TEST_CASE("heads of self-attention are merged on both sides, and missing rows stay missing") {
  AttentionWeights weights;
  weights.heads = {{0, 0, HeadKind::self, subwords},
                   {0, 0, HeadKind::encoder_self, subwords},
                   {0, 0, HeadKind::cross, subwords},
                   {0, 0, HeadKind::decoder_self, {}}};
  const AttentionWeights merged = merge_subwords(weights, source, target);
  CHECK(merged.matrix.empty());
  CHECK(merged.heads[0].matrix == merge_subwords(subwords, target, target));
  CHECK(merged.heads[1].matrix == merge_subwords(subwords, source, source));
  CHECK(merged.heads[2].matrix == words);
  CHECK(merged.heads[3].matrix.empty());
  CHECK(merge_log_prob({}, target).empty());
  Record r;
  r.source = {"_a", "b"};
  r.target = {"_c"};
  const Record without = merge_subwords(r, {{"ab"}, {0, 0}}, {{"c"}, {0}});
  CHECK(without.source == Tokens{"ab"});
  CHECK((without.weights.matrix.empty() && without.entropy.empty()));
}

TEST_CASE("a record of subwords becomes a record of words") {
  Record r;
  r.source = {"_a", "_b", "c"};
  r.target = {"_d", "e", "_f"};
  r.weights.matrix = subwords;
  r.logprob = {-.5f, -.25f, -1, -2};
  r.weights.gate = {1, .5f, .25f, 0};
  const Matrix square{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  r.weights.heads = {{0, 1, HeadKind::cross, subwords},
                     {0, 0, HeadKind::encoder_self, square},
                     {0, 0, HeadKind::decoder_self, square}};
  r.gold = Gold{{{0, 0}}, {}};
  complete(r);
  const Record merged = merge_subwords(r, {{"a", "bc"}, source}, {{"de", "f"}, target});
  CHECK(merged.source == Tokens{"a", "bc"});
  CHECK(merged.target == Tokens{"de", "f"});
  CHECK(merged.weights.matrix == words);
  CHECK(merged.weights.heads.at(0).matrix == words);
  CHECK(merged.weights.gate == std::vector<float>{.75f, .25f, 0});  // a word has the mean of its subwords
  CHECK(merged.weights.heads.at(1).matrix == Matrix{{1, 0, 0}, {.5f, .5f, 0}, {0, 0, 1}});
  CHECK(merged.weights.heads.at(2).matrix == Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  CHECK(merged.logprob == std::vector<float>{-.75f, -1, -2});
  CHECK(merged.links == Links{{1, 0}, {1, 1}});
  CHECK(merged.entropy.size() == 3);
  CHECK(merged.gold == r.gold);
  CHECK(problem_of(merged).empty());
}

TEST_CASE("the decoder's self-attention has <s> in its first column, which belongs to no subword") {
  AttentionWeights weights;
  weights.heads = {
      {0, 0, HeadKind::decoder_self, {{1, 0, 0, 0}, {.5f, .5f, 0, 0}, {.5f, .25f, .25f, 0}, {.25f, 0, .25f, .5f}}}};
  CHECK(merge_subwords(weights, source, target).heads[0].matrix ==
        Matrix{{.75f, .25f, 0}, {.5f, .5f, 0}, {.25f, .25f, .5f}});
  weights.heads[0].matrix = {{1, 0}, {.5f, .5f}};  // two subwords of one word, without </s>
  CHECK(merge_subwords(weights, source, {0, 0}).heads[0].matrix == Matrix{{1}});
  weights.heads[0].matrix = {{1, 0, 0}, {.5f, .5f, 0}};
  CHECK(has(misuse([&] { merge_subwords(weights, source, {0, 0}); }), "3 columns of self-attention for 2 rows"));
}

TEST_CASE("the weights of a word with many subwords still sum to one") {
  const std::vector<size_t> one(800, 0);
  const Matrix merged = merge_subwords(Matrix{std::vector<float>(800, 1.00005f / 800)}, one, {0});
  CHECK(std::abs(merged[0][0] - 1) < 1e-6f);
}

TEST_CASE("a link between words links all their subwords") {
  CHECK(expand_to_subwords(Links{{1, 0}}, source, target) == Links{{1, 0}, {1, 1}, {2, 0}, {2, 1}});
  CHECK(expand_to_subwords(Gold{{{0, 1}}, {{1, 1}}}, source, target) == Gold{{{0, 2}}, {{1, 2}, {2, 2}}});
  CHECK(expand_to_subwords(Links{}, source, target).empty());
}

namespace {

// The record of "I don't know." and "Je ne  sais pas."
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

TEST_CASE("links between original words are the union of the links of their parts") {
  const Record words = over_original_words(record());
  CHECK(words.source == Tokens{"I", "don't", "know."});
  CHECK(words.target == Tokens{"Je", "ne", "sais", "pas."});
  CHECK(words.links == Links{{0, 0}, {1, 1}, {1, 3}, {2, 2}, {2, 3}});
  CHECK(words.gold == Gold{{{0, 0}, {1, 3}}, {{1, 1}, {2, 3}}});
  CHECK(words.tags == record().tags);
  CHECK(words.id == 4);
}

TEST_CASE("gold is sure between two words if it is sure between any two of their parts") {
  Record r = record();
  r.gold = Gold{{{3, 3}}, {{4, 4}}};
  CHECK(over_original_words(r).gold == Gold{{{2, 3}}, {}});
}

TEST_CASE("original words without a token are counted too") {
  Record r = record();
  r.source = {"a", "b"};
  r.source_original = Original{"a \u00AD b", {{0, 1}, {4, 5}}};
  r.links = {{1, 0}};
  r.gold.reset();
  CHECK(over_original_words(r).links == Links{{2, 0}});
}

TEST_CASE("a record without positions of its words is refused by its number") {
  Record r = record();
  r.target_original.reset();
  CHECK(has(user_error([&] { over_original_words(r); }),
            "sentence 5: the record does not contain the positions of its words in the original line. Records that "
            "align and translate make from lines of text contain them. Add --over tokens, so that links count tokens"));
  r = record();
  r.source_original->spans.clear();
  CHECK(has(user_error([&] { over_original_words(r); }), "sentence 5"));
}

TEST_CASE("weights over original words: columns of a word's tokens are summed, rows averaged, and </s> kept") {
  Record r = record();
  r.gold.reset();
  r.weights.matrix = {{1, 0, 0, 0, 0, 0},       {0, .5f, .25f, 0, 0, .25f}, {0, 0, 0, 1, 0, 0},
                      {0, .25f, .75f, 0, 0, 0}, {0, 0, 0, .5f, .5f, 0},     {0, 0, 0, 0, 0, 1}};
  r.logprob = {-1, -1, -1, -1, -.5f, -2};
  r.unknown = Unknown{{1, 2, 4}, {3}};
  complete(r);
  const Record words = over_original_words(r);
  CHECK(words.weights.matrix == Matrix{{1, 0, 0, 0}, {0, .75f, 0, .25f}, {0, 0, 1, 0}, {0, .5f, .5f, 0}, {0, 0, 0, 1}});
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
    r.weights.matrix = {{.25f, .5f, .25f}, {0, 0, 1}};
    r.weights.heads = {{0, 0, HeadKind::cross, r.weights.matrix},
                       {0, 0, HeadKind::encoder_self, {{1, 0, 0}, {0, 1, 0}, {0, .5f, .5f}}},
                       {0, 0, HeadKind::decoder_self, {{1, 0}, {.5f, .5f}}}};
    complete(r);
    const Record gap = over_original_words(r);
    CHECK(gap.weights.matrix == Matrix{{.25f, 0, .5f, .25f}, {0, 0, 0, 1}});
    CHECK(gap.weights.heads[0].matrix == gap.weights.matrix);
    CHECK(gap.weights.heads[1].matrix == Matrix{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, .5f, .5f}});
    CHECK(gap.weights.heads[2].matrix == r.weights.heads[2].matrix);
    CHECK(gap.links == Links{{2, 0}});
    CHECK(problem_of(gap).empty());
    r.weights.heads = {{0, 0, HeadKind::encoder_self, {}}};
    CHECK(over_original_words(r).weights.heads[0].matrix.empty());
  }
  SECTION("a target word without a token has no row, so no rows remain") {
    r.target_original = Original{"Je ne \u200b sais pas.", {{0, 2}, {3, 5}, {8, 12}, {13, 16}, {16, 17}}};
    const Record gap = over_original_words(r);
    CHECK((gap.weights.matrix.empty() && gap.logprob.empty()));
    CHECK(gap.links == Links{{0, 0}, {1, 1}, {1, 4}, {2, 3}, {2, 4}});
  }
  SECTION("rows of the read words are not converted") {
    r.attends = Attends::input;
    CHECK(over_original_words(r).weights.matrix.empty());
  }
}

TEST_CASE("a record without lines uses its tokens as words if the caller allows it") {
  Record r = record();
  r.source_original.reset();
  r.target_original.reset();
  const Record words = over_original_words(r, NoLine::tokens_are_words);
  CHECK(words.source == r.source);
  CHECK(words.links == r.links);
  r.target_original = Original{"je ne sais pas .", {}};  // the words of the line are its tokens
  CHECK(over_original_words(r, NoLine::tokens_are_words).target == r.target);
  r.target_original = Original{"je ne sais pas.", {}};
  CHECK(has(user_error([&] { over_original_words(r, NoLine::tokens_are_words); }),
            "sentence 5: the record contains its target line, but not the positions of its words"));
}

TEST_CASE("a token must be in one word of its line") {
  Record r = record();
  for (const Span& span : {Span{7, 8}, Span{2, 9}, Span{1, 2}, Span{1, 1}}) {
    r.source_original->spans[2] = span;
    CHECK(has(user_error([&] { over_original_words(r); }), "source token 2 is at"));
  }
  r.source_original = Original{"  a", {{0, 1}}};
  r.source = {"a"};
  r.links = {};
  r.gold.reset();
  CHECK(has(user_error([&] { over_original_words(r); }), "source token 0 is at [0,1)"));
}

TEST_CASE("words get positions in their line if tokenisation gives the same words") {
  const Original placed = placed_in("Don't go", {"do", "n't", "go"}, {}).value();
  CHECK(placed.line == "Don't go");
  CHECK(placed.spans == std::vector<Span>{{0, 2}, {2, 5}, {6, 8}});
  CHECK_FALSE(placed_in("Don't go", {"don't", "go"}, {}));
  CHECK_FALSE(placed_in("Don't go", {"do", "n't"}, {}));
  CHECK_FALSE(placed_in("", {}, {}));
}
