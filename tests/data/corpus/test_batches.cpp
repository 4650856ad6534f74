#include <algorithm>
#include <set>

#include "autograd/random.h"
#include "data/corpus/batches.h"
#include "data/corpus/readers.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;
using testing::has;
using testing::misuse;

namespace {

// Pairs of 2 to 25 words. The two sides of a pair have similar lengths.
std::vector<EncodedPair> random_pairs(size_t n, uint64_t seed) {
  autograd::Random random(seed);
  std::vector<EncodedPair> pairs;
  for (size_t i = 0; i < n; ++i) {
    const size_t source = 2 + random.below(24), target = std::max<size_t>(2, source + random.below(5)) - 1;
    pairs.push_back({Ids(source, 4), Ids(target, 5)});
  }
  return pairs;
}

// The fraction of padding among the ids of all batches.
double padding(const std::vector<EncodedPair>& corpus, const std::vector<Indices>& plan) {
  size_t cells = 0, filled = 0;
  for (const Indices& indices : plan) {
    const Batch batch = make_batch(corpus, indices);
    cells += batch.source.size() + batch.targets.out.size();
    for (const size_t length : batch.source_lengths) filled += length;
    for (const size_t length : batch.target_lengths) filled += length;
  }
  return 1 - static_cast<double>(filled) / static_cast<double>(cells);
}

bool is_partition(const std::vector<Indices>& plan, size_t n) {
  std::set<size_t> seen;
  size_t count = 0;
  for (const Indices& indices : plan) {
    seen.insert(indices.begin(), indices.end());
    count += indices.size();
  }
  return count == n && seen.size() == n && (n == 0 || *seen.rbegin() == n - 1);
}

}  // namespace

TEST_CASE("a batch is time-major, padded after </s>, with the target shifted by one") {
  const std::vector<EncodedPair> corpus = {{{10, 11, 12}, {20}, {{2, 0}}}, {{9}, {9}}, {{13}, {21, 22}}};
  const Batch b = make_batch(corpus, {2, 0});
  CHECK(b.size == 2);
  CHECK(b.source_steps == 4);
  CHECK(b.targets.steps == 3);
  CHECK(b.source == Ids{13, 10, end_id, 11, pad_id, 12, pad_id, end_id});
  CHECK(b.targets.in == Ids{start_id, start_id, 21, 20, 22, pad_id});
  CHECK(b.targets.out == Ids{21, 20, 22, end_id, end_id, pad_id});
  CHECK(b.source_lengths == std::vector<size_t>{2, 4});
  CHECK(b.target_lengths == std::vector<size_t>{3, 2});
  CHECK(b.index == Indices{2, 0});
  CHECK(b.sure == std::vector<Links>{{}, {{2, 0}}});
  CHECK(target_words(b) == 5);
}

TEST_CASE("a batch of sources has no target, and an empty sentence has only </s>") {
  const Batch b = make_source_batch({{{10}, {21}}, {}}, {0, 1});
  CHECK(b.targets.steps == 0);
  CHECK((b.targets.in.empty() && b.targets.out.empty() && b.target_lengths.empty()));
  CHECK(b.source == Ids{10, end_id, end_id, pad_id});
  CHECK(b.source_lengths == std::vector<size_t>{2, 1});
}

TEST_CASE("attention covers words and </s>, or the positions of a pair") {
  const std::vector<EncodedPair> stories{{{10, 11, 12, 13}, {20}, {}, 2}, {{10}, {20}}};
  const Batch b = make_batch(stories, {0, 1});
  CHECK(b.source_lengths == std::vector<size_t>{5, 2});
  CHECK(b.places == std::vector<size_t>{2, 2});
  CHECK((places_in(b, 0) == 2 && most_places(b) == 2));
  CHECK(b.pictures.empty());

  Batch words = make_batch(stories, {1});
  CHECK((words.places == words.source_lengths && most_places(words) == 2));
  words.places.clear();  // as in a batch that a test constructs
  CHECK((places_in(words, 0) == 2 && most_places(words) == 2));
}

TEST_CASE("a batch of pictures has cells as steps, without ids") {
  const auto picture = [](std::uint8_t grey) {
    return std::make_shared<const Picture>(Picture{1, 2, std::vector<std::uint8_t>(6, grey)});
  };
  const std::vector<EncodedPair> captions{{{}, {20, 21}, {}, 6, picture(1)}, {{}, {22}, {}, 6, picture(2)}};
  const Batch b = make_batch(captions, {1, 0});
  CHECK(b.source.empty());
  CHECK(b.source_steps == 6);
  CHECK(b.source_lengths == std::vector<size_t>{6, 6});
  CHECK(b.places == std::vector<size_t>{6, 6});
  CHECK(b.pictures == decltype(b.pictures){captions[1].picture, captions[0].picture});
  CHECK(b.targets.out == Ids{22, 20, end_id, 21, pad_id, end_id});
  CHECK_THROWS_WITH(make_batch({captions[0], {{10}, {20}}}, {0, 1}), Catch::Contains("pictures and words"));

  const std::uint64_t one = hash({captions[0]});
  CHECK(one == hash({{{}, {20, 21}, {}, 6, picture(1)}}));
  CHECK(one != hash({{{}, {20, 21}, {}, 6, picture(2)}}));
  Picture tall = *captions[0].picture;
  std::swap(tall.height, tall.width);
  CHECK(one != hash({{{}, {20, 21}, {}, 6, std::make_shared<const Picture>(tall)}}));
}

TEST_CASE("each side of a pair is encoded by its vocabulary") {
  const std::vector<EncodedPair> encoded =
      encode({{{"b", "?"}, {"a"}, Gold{{{0, 0}}, {{1, 0}}}, {}, 0}, {{"a"}, {"c"}, {}, {}, 0}}, Vocabulary({"a", "b"}),
             Vocabulary({"c", "a"}));
  CHECK(encoded[0].source == Ids{5, unk_id});
  CHECK(encoded[0].target == Ids{5});
  CHECK(encoded[0].sure == Links{{0, 0}});  // possible links are not used for training
  CHECK(encoded[1].sure.empty());
}

TEST_CASE("gold links of a text to its own past do not supervise attention") {
  Pair text;
  text.target = {"a", "b"};
  text.gold = Gold{{{0, 1}}, {}};
  CHECK(encode({text}, Vocabulary({"a"}), Vocabulary({"a", "b"})).at(0).sure.empty());
}

TEST_CASE("the hash of a corpus depends on each id, link and position") {
  const std::vector<EncodedPair> pairs{{{5, 6}, {7}, {{0, 0}}}, {{8}, {9}}};
  const std::vector<std::vector<EncodedPair>> changed{
      {{{5}, {6, 7}, {{0, 0}}}, {{8}, {9}}}, {{{5, 6}, {8}, {{0, 0}}}, {{8}, {9}}},
      {{{5, 6}, {7}, {{1, 0}}}, {{8}, {9}}}, {{{5, 6}, {7}}, {{8}, {9}}},
      {{{8}, {9}}, {{5, 6}, {7}, {{0, 0}}}}, {{{5, 6}, {7}, {{0, 0}}}}};
  CHECK(hash(pairs) == hash(std::vector<EncodedPair>(pairs)));
  for (const auto& other : changed) CHECK(hash(other) != hash(pairs));
}

TEST_CASE("batches by sentences contain every pair once, in an order that seed and epoch determine") {
  const auto corpus = random_pairs(1000, 1);
  const auto plan = plan_batches(corpus, {32, 0, 5}, 3);
  CHECK(is_partition(plan, 1000));
  CHECK(plan.size() == 32);
  CHECK(std::all_of(plan.begin(), plan.end(), [](const Indices& i) { return i.size() <= 32; }));
  CHECK(plan == plan_batches(corpus, {32, 0, 5}, 3));
  CHECK(plan != plan_batches(corpus, {32, 0, 5}, 4));
  CHECK(plan != plan_batches(corpus, {32, 0, 6}, 3));
  CHECK(plan_batches({}, {}, 0).empty());
}

TEST_CASE("an epoch shuffles the pairs of a batch, not only the batches") {
  const auto corpus = random_pairs(1000, 1);
  const auto members = [&](size_t epoch) {
    std::set<std::set<size_t>> sets;
    for (const Indices& i : plan_batches(corpus, {32, 0, 5}, epoch)) sets.insert({i.begin(), i.end()});
    return sets;
  };
  const auto first = members(0), second = members(1);
  const auto common = std::count_if(first.begin(), first.end(), [&](const auto& set) { return second.count(set) > 0; });
  CHECK(common <= 1);
}

TEST_CASE("batches by tokens stay below the limit, padding included, except for longer pairs") {
  auto corpus = random_pairs(500, 2);
  corpus.push_back({{4}, Ids(300, 5)});
  const auto plan = plan_batches(corpus, {32, 200, 1}, 0);
  CHECK(is_partition(plan, corpus.size()));
  size_t over = 0;
  for (const Indices& indices : plan) {
    const Batch batch = make_batch(corpus, indices);
    if (batch.targets.out.size() > 200) {
      ++over;
      CHECK(batch.size == 1);
    }
  }
  CHECK(over == 1);
  CHECK(plan.size() < 80);  // 7,400 target ids make about 37 full batches
}

TEST_CASE("batches come in random order, not by length") {
  const auto corpus = random_pairs(1000, 1);
  const auto plan = plan_batches(corpus, {}, 0);
  const auto length = [&](const Indices& i) { return corpus[i[0]].target.size(); };
  const auto by_length = [&](const Indices& a, const Indices& b) { return length(a) < length(b); };
  CHECK_FALSE(std::is_sorted(plan.begin(), plan.end(), by_length));
}

TEST_CASE("pairs of one target length are grouped by source length") {
  autograd::Random random(4);
  std::vector<EncodedPair> corpus;
  for (int i = 0; i < 1000; ++i) corpus.push_back({Ids(1 + random.below(60), 4), Ids(5, 4)});
  CHECK(padding(corpus, plan_batches(corpus, {}, 0)) < .1);
}

TEST_CASE("padding stays below 10% on the toy corpus") {
  const Corpus toy = read_tsv(testing::source_folder() + "/data/toy/train.tsv");
  const auto source = Vocabulary::build(count_words(toy.pairs, &Pair::source));
  const auto target = Vocabulary::build(count_words(toy.pairs, &Pair::target));
  const auto corpus = encode(toy.pairs, source, target);
  for (const BatchOptions& options : {BatchOptions{32, 0, 1}, BatchOptions{80, 0, 1}, BatchOptions{0, 400, 1}}) {
    const double share = padding(corpus, plan_batches(corpus, options, 0));
    INFO(options.sentences << " sentences or " << options.tokens << " tokens: " << share);
    CHECK(share < .1);
  }
}

TEST_CASE("misuse of batches is refused") {
  const auto corpus = random_pairs(3, 1);
  CHECK(has(misuse([&] { make_batch(corpus, {3}); }), "index 3 in a corpus of 3 pairs"));
  CHECK(has(misuse([&] { make_batch(corpus, {}); }), "no index"));
  CHECK(has(misuse([&] { plan_batches(corpus, {0, 0, 1}, 0); }), "batches of 0 sentences"));
}
