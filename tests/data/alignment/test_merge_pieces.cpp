#include "data/alignment/merge_pieces.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

namespace {

// Source words 2 (pieces 1 + 2), target words 2 (pieces 2 + 1), </s> on both sides.
const std::vector<size_t> source{0, 1, 1}, target{0, 0, 1};
const Matrix pieces{{.5f, .25f, .125f, .125f}, {.25f, .25f, .25f, .25f}, {0, .5f, .5f, 0}, {0, 0, 0, 1}};
const Matrix words{{.375f, .4375f, .1875f}, {0, 1, 0}, {0, 0, 1}};

}  // namespace

TEST_CASE("attention is summed over a source word's pieces and averaged over a target word's") {
  CHECK(merge_pieces(pieces, source, target) == words);
  SECTION("without </s> on one side") {
    CHECK(merge_pieces({pieces[0], pieces[1], pieces[2]}, source, target) == Matrix{words[0], words[1]});
    CHECK(merge_pieces({{.5f, .25f, .25f}, {.5f, 0, .5f}, {0, 1, 0}}, source, target) == Matrix{{.5f, .5f}, {0, 1}});
  }
  SECTION("whole words stay as they are") { CHECK(merge_pieces(pieces, {0, 1, 2}, {0, 1, 2}) == pieces); }
  SECTION("an empty translation is </s> alone") {
    CHECK(merge_pieces({{.5f, .25f, .125f, .125f}}, source, {}) == Matrix{{.5f, .375f, .125f}});
  }
  SECTION("a piece that looks at nothing, as the first of an LSTM that looks back, has no part in the mean") {
    const std::vector<float> nothing(4);
    CHECK(merge_pieces({nothing, pieces[1], pieces[2], pieces[3]}, source, target) ==
          Matrix{{.25f, .5f, .25f}, words[1], words[2]});
    CHECK(merge_pieces({nothing, nothing, pieces[2], pieces[3]}, source, target) ==
          Matrix{{0, 0, 0}, words[1], words[2]});
  }
  CHECK(has(misuse([] { merge_pieces(pieces, {0, 1}, target); }), "4 source positions for 2 pieces"));
  CHECK(has(misuse([] { merge_pieces(pieces, source, {0}); }), "4 target positions for 1 pieces"));
}

TEST_CASE("heads of a text that looks at itself are joined on both sides, and what is not there stays so") {
  Weights weights;
  weights.heads = {{0, 0, "self", pieces}, {0, 0, "encoder-self", pieces}, {0, 0, "cross", pieces}};
  const Weights merged = merge_pieces(weights, source, target);
  CHECK(merged.matrix.empty());
  CHECK(merged.heads[0].matrix == merge_pieces(pieces, target, target));
  CHECK(merged.heads[1].matrix == merge_pieces(pieces, source, source));
  CHECK(merged.heads[2].matrix == words);
  CHECK(merge_log_prob({}, target).empty());
  Record r;
  r.source = {"_a", "b"};
  r.target = {"_c"};
  const Record without = merge_pieces(r, {{"ab"}, {0, 0}}, {{"c"}, {0}});
  CHECK(without.source == Tokens{"ab"});
  CHECK((without.matrix.empty() && without.entropy.empty()));
}

TEST_CASE("a record of pieces becomes one of words") {
  Record r;
  r.source = {"_a", "_b", "c"};
  r.target = {"_d", "e", "_f"};
  r.matrix = pieces;
  r.logprob = {-.5f, -.25f, -1, -2};
  r.gate = {1, .5f, .25f, 0};
  const Matrix square{{1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  r.heads = {{0, 1, "cross", pieces}, {0, 0, "encoder-self", square}, {0, 0, "decoder-self", square}};
  r.gold = Gold{{{0, 0}}, {}};
  complete(r);
  const Record merged = merge_pieces(r, {{"a", "bc"}, source}, {{"de", "f"}, target});
  CHECK(merged.source == Tokens{"a", "bc"});
  CHECK(merged.target == Tokens{"de", "f"});
  CHECK(merged.matrix == words);
  CHECK(merged.heads.at(0).matrix == words);
  CHECK(merged.gate == std::vector<float>{.75f, .25f, 0});  // of a word the mean of its pieces
  CHECK(merged.heads.at(1).matrix == Matrix{{1, 0, 0}, {.5f, .5f, 0}, {0, 0, 1}});
  CHECK(merged.heads.at(2).matrix == Matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  CHECK(merged.logprob == std::vector<float>{-.75f, -1, -2});
  CHECK(merged.links == Links{{1, 0}, {1, 1}});
  CHECK(merged.entropy.size() == 3);
  CHECK(merged.gold == r.gold);
  CHECK(problem_of(merged).empty());
}

TEST_CASE("the decoder's self-attention has <s> in its first column, which is no piece's") {
  Weights weights;
  weights.heads = {
      {0, 0, "decoder-self", {{1, 0, 0, 0}, {.5f, .5f, 0, 0}, {.5f, .25f, .25f, 0}, {.25f, 0, .25f, .5f}}}};
  CHECK(merge_pieces(weights, source, target).heads[0].matrix ==
        Matrix{{.75f, .25f, 0}, {.5f, .5f, 0}, {.25f, .25f, .5f}});
  weights.heads[0].matrix = {{1, 0}, {.5f, .5f}};  // both pieces of one word, and no </s>
  CHECK(merge_pieces(weights, source, {0, 0}).heads[0].matrix == Matrix{{1}});
  weights.heads[0].matrix = {{1, 0, 0}, {.5f, .5f, 0}};
  CHECK(has(misuse([&] { merge_pieces(weights, source, {0, 0}); }), "3 columns of self-attention for 2 rows"));
}

TEST_CASE("the weights of a word of very many pieces still sum to one") {
  const std::vector<size_t> one(800, 0);
  const Matrix merged = merge_pieces(Matrix{std::vector<float>(800, 1.00005f / 800)}, one, {0});
  CHECK(std::abs(merged[0][0] - 1) < 1e-6f);
}

TEST_CASE("a link of words links all their pieces") {
  CHECK(expand_to_pieces(Links{{1, 0}}, source, target) == Links{{1, 0}, {1, 1}, {2, 0}, {2, 1}});
  CHECK(expand_to_pieces(Gold{{{0, 1}}, {{1, 1}}}, source, target) == Gold{{{0, 2}}, {{1, 2}, {2, 2}}});
  CHECK(expand_to_pieces(Links{}, source, target).empty());
}
