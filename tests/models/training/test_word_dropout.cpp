// Word dropout: these tests check which input words the decoder cannot read, and that a step trains on the remaining
// words.
#include "models/training/teacher_forcing.h"

#include <algorithm>

#include "data/corpus/batches.h"
#include "models/registry.h"
#include "models/training/batch_gradient.h"
#include "tests/catch.h"

using namespace softalign;
using namespace models;

namespace {

const std::vector<data::EncodedPair> pairs{{{4, 5, 6}, {5, 4, 6}}, {{7}, {6, 6, 5, 1, 7}}, {{6, 4, 1, 5}, {4}}};
const Batch batch = data::make_batch(pairs, {0, 1, 2});

Targets with_unread(double p, std::uint64_t seed) { return with_word_dropout(batch.targets, p, Random(seed)); }

// The loss of the words, followed by the gradient of every parameter.
std::vector<Real> step(const Batch& read, const Objective& objective) {
  autograd::Params params{Random(3)};
  ModelOptions options;
  options.source_vocabulary = options.target_vocabulary = 9;
  options.embedding = options.hidden = options.attention_size = options.readout = 4;
  options.dropout = 0;
  const auto model = make_model(options, params);
  Random random(1);
  std::vector<Real> all{
      static_cast<Real>(add_batch_gradient(*model, params, read, objective, random, {.words = 12}).words)};
  for (const auto& p : params.all()) {
    const autograd::Array gradient = p.var.grad();
    all.insert(all.end(), gradient.span().begin(), gradient.span().end());
  }
  return all;
}

}  // namespace

// Bowman et al. 2016, section 3.1.
TEST_CASE("word dropout: rate 0 drops nothing, rate 1 every word, and marks and targets are never dropped") {
  CHECK(with_unread(0, 1).in == batch.targets.in);
  const Targets none = with_unread(1, 1);
  CHECK(none.out == batch.targets.out);
  for (std::size_t i = 0; i < none.in.size(); ++i) {
    const data::Id word = batch.targets.in[i];
    CHECK(none.in[i] == (word == data::pad_id || word == data::start_id ? word : data::unk_id));
  }
}

TEST_CASE("word dropout: each word is dropped independently at the given rate, and the seed decides") {
  CHECK(with_unread(.3, 4).in == with_unread(.3, 4).in);
  const std::size_t first = 3, second = 4, draws = 4000;  // y_1 of the first two sentences, which are known words
  REQUIRE((batch.targets.in[first] > data::end_id && batch.targets.in[second] > data::end_id));
  double one = 0, other = 0, both = 0;
  for (std::size_t seed = 0; seed < draws; ++seed) {
    const Targets t = with_unread(.3, seed);
    const bool a = t.in[first] == data::unk_id, b = t.in[second] == data::unk_id;
    one += a, other += b, both += a && b;
  }
  CHECK(one / draws == Approx(.3).margin(.03));
  CHECK(other / draws == Approx(.3).margin(.03));
  CHECK(both / draws == Approx(.09).margin(.02));
}

TEST_CASE("word dropout: the gradient equals that of the remaining words") {
  Batch unread = batch;
  unread.targets.in = with_unread(1, 1).in;
  const Objective all{.word_dropout = 1};
  CHECK(step(batch, all) == step(unread, {}));
  CHECK(step(batch, {}) != step(unread, {}));
}
