// Cuts a batch into parts by sentences.
#include "data/corpus/batch.h"

#include "data/corpus/batches.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

TEST_CASE("splitting a batch gives the batches of the parts", "[batch]") {
  const std::vector<EncodedPair> corpus{
      {{5, 6, 7}, {8}, {{2, 0}}}, {{5}, {6, 7, 8, 9}}, {{9, 9}, {4, 4}}, {{6}, {7}}, {{8}, {5, 5}, {{0, 0}, {0, 1}}}};
  const Batch whole = make_batch(corpus, {0, 1, 2, 3, 4});
  const std::size_t parts = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5});
  std::size_t begin = 0;
  const std::vector<Batch> cut = split(whole, parts);
  REQUIRE(cut.size() == parts);
  for (const Batch& part : cut) {
    Indices indices;
    for (std::size_t i = 0; i < part.size; ++i) indices.push_back(begin + i);
    const Batch expected = make_batch(corpus, indices);
    CHECK(part.source == expected.source);
    CHECK(part.targets.in == expected.targets.in);
    CHECK(part.targets.out == expected.targets.out);
    CHECK(part.source_steps == expected.source_steps);
    CHECK(part.targets.steps == expected.targets.steps);
    CHECK(part.source_lengths == expected.source_lengths);
    CHECK(part.target_lengths == expected.target_lengths);
    CHECK(part.index == expected.index);
    CHECK(part.sure == expected.sure);
    CHECK(part.places == expected.places);
    CHECK(part.pictures == expected.pictures);
    begin += part.size;
  }
  CHECK(begin == whole.size);
}

TEST_CASE("there are at most as many parts as sentences, and sources may have no targets", "[batch]") {
  const std::vector<Batch> cut = split(make_source_batch({{{5, 6}, {}}, {{7}, {}}}, {0, 1}), 4);
  REQUIRE(cut.size() == 2);
  CHECK(cut[1].source == Ids{7, end_id});
  CHECK(cut[1].targets.steps == 0);
  CHECK(cut[1].targets.out.empty());
}
