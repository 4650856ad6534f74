// Compares the alignment layer with PyTorch. The tests also check gradients and properties that hold for any weights.
#include "models/alignment/alignment_layer.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "autograd/gradcheck.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "models/alignment/alignment_training.h"
#include "models/checkpoint.h"
#include "tests/temporary.h"

#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Real;
using data::Links;
using data::Pair;
using data::Vocabulary;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;

Pair pair_of(const std::string& source, const std::string& target) {
  return {data::split_words(source), data::split_words(target), {}, {}, 0};
}

// The pairs are those of tests/golden/make_alignment_layer.py. "bien" and "zoo" are in no vocabulary.
const std::vector<Pair> two_pairs{pair_of("the cat sleeps", "le chat bien dort"), pair_of("zoo", "un zoo")};
const std::vector<Links> two_links{{{0, 0}, {1, 0}, {1, 1}, {2, 3}}, {{0, 1}}};

std::vector<const Pair*> pointers(const std::vector<Pair>& pairs) {
  std::vector<const Pair*> all;
  for (const Pair& pair : pairs) all.push_back(&pair);
  return all;
}
std::vector<const Links*> pointers(const std::vector<Links>& links) {
  std::vector<const Links*> all;
  for (const Links& each : links) all.push_back(&each);
  return all;
}

AlignmentLayer tiny() {
  return {Vocabulary({"the", "cat", "sleeps"}),
          Vocabulary({"le", "chat", "dort", "un"}),
          {.embedding = 4, .hidden = 5, .grams = 60},
          Random(1)};
}

AlignmentLayer randomised() {
  AlignmentLayer layer = tiny();
  Random random(2);
  compare::randomise(layer.params(), random);
  return layer;
}

Array array_of(const data::Matrix& rows) {
  Array all({rows.size(), rows.front().size()});
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = rows[i / all.dim(1)][i % all.dim(1)];
  return all;
}

}  // namespace

TEST_CASE("alignment layer: loss, gradients and weights equal torch's") {
  golden::Golden g("alignment_layer");
  const AlignmentLayer layer = tiny();
  g.adopt(layer.params());
  const auto found = layer.align(pointers(two_pairs));
  for (std::size_t b = 0; b < 2; ++b) {
    data::Matrix rows = found[b].weights;
    rows.pop_back();  // the last row belongs to </s>
    CHECK(compare::relative_error(array_of(rows), g.fact_array("weights_" + std::to_string(b))) < 1e-5);
  }
  g.check({{"loss", alignment_loss(layer, pointers(two_pairs), pointers(two_links))}});
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("alignment layer: gradients equal central differences, dropout included") {
  for (const double dropout : {0.0, 0.3}) {
    const AlignmentLayer layer = randomised();
    const autograd::GradcheckResult check = autograd::gradcheck(layer.params(), [&] {
      Random random(3);
      return alignment_loss(layer, pointers(two_pairs), pointers(two_links), dropout, &random);
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE("alignment layer: a pair has the same alignment in a batch") {
  const AlignmentLayer layer = randomised();
  const auto both = layer.align(pointers(two_pairs));
  Real sum = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    const auto alone = layer.align({&two_pairs[b]}).front();
    CHECK(compare::relative_error(array_of(both[b].weights), array_of(alone.weights)) < std::max(exact, 1e-6));
    sum += alignment_loss(layer, {&two_pairs[b]}, {&two_links[b]}).value().item();
  }
  CHECK(alignment_loss(layer, pointers(two_pairs), pointers(two_links)).value().item() == Approx(sum).epsilon(exact));
}

TEST_CASE("alignment layer: rows sum to 1, and </s> is aligned to </s>") {
  const auto found = randomised().align(pointers(two_pairs));
  for (std::size_t b = 0; b < 2; ++b) {
    REQUIRE(found[b].weights.size() == two_pairs[b].target.size() + 1);
    for (const auto& row : found[b].weights) {
      REQUIRE(row.size() == two_pairs[b].source.size() + 1);
      CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1).epsilon(1e-6));
    }
    CHECK(found[b].weights.back().back() == 1);
  }
}

TEST_CASE("alignment layer: n-grams have two to five characters and include the ends of the word") {
  // The n-grams are ^c ca at t$, ^ca cat at$, ^cat cat$ and ^cat$: 4 + 3 + 2 + 1.
  CHECK(gram_rows("cat", 1 << 15).size() == 10);
  CHECK(gram_rows("é", 1 << 15).size() == 3);  // ^é é$ ^é$: code points, not bytes
  const Ids cats = gram_rows("cats", 1 << 15), cat = gram_rows("cat", 1 << 15), dog = gram_rows("dog", 1 << 15);
  const auto shared = [](const Ids& a, const Ids& b) {
    const std::set<Id> of_a(a.begin(), a.end());
    return std::count_if(b.begin(), b.end(), [&](Id id) { return of_a.count(id) > 0; });
  };
  CHECK(shared(cats, cat) == 6);  // ^c ca at ^ca cat ^cat are shared
  CHECK(shared(dog, cat) == 0);
  CHECK(gram_rows(std::string(5000, 'x'), 1 << 15).size() == gram_rows(std::string(64, 'x'), 1 << 15).size());
}

TEST_CASE("alignment layer: a saved layer is loaded with the same bits, and other files are refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("alignment.safetensors"), again = folder.file("again.safetensors");
  AlignmentLayer layer = randomised();
  layer.set_share(0.3);
  layer.save(path);
  const AlignmentLayer loaded = AlignmentLayer::load(path);
  CHECK(loaded.share() == 0.3);
  loaded.save(again);
  CHECK(data::read_bytes(path) == data::read_bytes(again));
  if (sizeof(Real) == sizeof(float))
    CHECK(loaded.align(pointers(two_pairs))[0].weights == layer.align(pointers(two_pairs))[0].weights);
  layer.set_share(1.5);
  layer.save(again);
  CHECK_THROWS_AS(AlignmentLayer::load(again), data::Error);
  Checkpoint other;
  other.config = "{\"model\": \"rnnsearch\"}";
  other.source_hash = other.target_hash = "0";
  save_checkpoint(again, other);
  CHECK_THROWS_AS(AlignmentLayer::load(again), data::Error);
  other.config = "no JSON";
  save_checkpoint(again, other);
  CHECK_THROWS_AS(AlignmentLayer::load(again), data::Error);
}

TEST_CASE("alignment layer: a layer of an older version has no weights for the next link, and no share") {
  const TemporaryFolder folder;
  const std::string path = folder.file("alignment.safetensors"), old = folder.file("old.safetensors");
  AlignmentLayer layer = randomised();
  const auto is_z = [](const NamedArray& array) { return array.name == "z"; };
  for (const NamedArray& array : named_arrays(layer.params()))
    if (is_z(array)) Array(array.array).fill(0);
  layer.save(path);
  Checkpoint checkpoint = load_checkpoint(path);
  REQUIRE(std::erase_if(checkpoint.parameters, is_z) == 1);
  nlohmann::ordered_json config = nlohmann::ordered_json::parse(checkpoint.config);
  REQUIRE(config.erase("share") == 1);
  checkpoint.config = config.dump();
  save_checkpoint(old, checkpoint);
  const AlignmentLayer of_old = AlignmentLayer::load(old), of_new = AlignmentLayer::load(path);
  CHECK(of_old.share() == 1);
  CHECK(of_old.align(pointers(two_pairs))[0].weights == of_new.align(pointers(two_pairs))[0].weights);
}
