// Scheduled sampling: the decays equal their formulas, and words are sampled from the model after the mixed prefix.
#include "models/training/teacher_forcing.h"

#include <map>
#include <numeric>

#include "autograd/ops/loss.h"
#include "data/corpus/batches.h"
#include "models/registry.h"
#include "tests/models/table_model.h"

using namespace softalign;
using namespace models;

namespace {

const std::vector<data::EncodedPair> pairs{{{4, 5, 6}, {5, 4, 6}}, {{7}, {6, 6, 5, 1, 7}}, {{6, 4, 1, 5}, {4}}};

// The model nearly always predicts 4 + (sum of the words so far) mod 4. <pad>, <s> and </s> have higher logits, but
// must never be sampled.
tables::Table next_word() {
  return [](data::Id, const data::Ids& words) {
    std::vector<Real> logits(8, 0);
    logits[data::pad_id] = logits[data::start_id] = logits[data::end_id] = 90;
    int sum = 0;
    for (const data::Id word : words) sum += word;
    logits[static_cast<std::size_t>(4 + sum % 4)] = 60;
    return logits;
  };
}

Targets drawn_words(const Seq2Seq& model, const Batch& batch, double eps, Random& random) {
  return with_sampled_words(model.decoder(), model.encode(batch), batch.targets, eps, random);
}

}  // namespace

// Bengio et al. 2015, section 2.4.
TEST_CASE("the decays follow the paper, section 2.4") {
  const auto at = [](const SamplingDecay& d, std::uint64_t i) { return teacher_forcing_ratio(d, i); };
  CHECK(at({}, 1000) == 1);
  const SamplingDecay linear{.kind = SamplingKind::linear, .k = .9, .slope = .01, .floor = .25};
  CHECK(at(linear, 0) == Approx(.9));
  CHECK(at(linear, 30) == Approx(.6));
  CHECK(at(linear, 90) == Approx(.25));
  CHECK(at({.kind = SamplingKind::exponential, .k = .99}, 0) == 1);
  CHECK(at({.kind = SamplingKind::exponential, .k = .99}, 200) == Approx(std::pow(.99, 200)));
  CHECK(at({.kind = SamplingKind::inverse_sigmoid, .k = 5}, 0) == Approx(5. / 6));
  CHECK(at({.kind = SamplingKind::inverse_sigmoid, .k = 5}, 20) == Approx(5 / (5 + std::exp(4))));
  CHECK(at({.kind = SamplingKind::inverse_sigmoid, .k = 5}, 1000000) == 0);
  CHECK(at({.kind = SamplingKind::linear}, 1000) == Approx(.9));  // each kind has its own default of k
  CHECK(at({.kind = SamplingKind::exponential}, 1) == Approx(.9999));
  CHECK(at({.kind = SamplingKind::inverse_sigmoid}, 0) == Approx(1000. / 1001));
}

TEST_CASE("invalid decays are refused") {
  for (const auto& [name, kind] : names_of(SamplingKind{})) CHECK_NOTHROW(check(SamplingDecay{.kind = kind}));
  CHECK_THROWS_WITH(check(SamplingDecay{.kind = SamplingKind::exponential, .k = 1}), Catch::Contains("less than 1"));
  CHECK_THROWS_WITH(check(SamplingDecay{.kind = SamplingKind::linear, .k = 2}), Catch::Contains("at most 1"));
  CHECK_THROWS_WITH(check(SamplingDecay{.kind = SamplingKind::inverse_sigmoid, .k = .5}),
                    Catch::Contains("at least 1"));
  CHECK_THROWS_WITH(check(SamplingDecay{.kind = SamplingKind::linear, .floor = 1.5}), Catch::Contains("floor 1.5"));
  CHECK_THROWS_WITH(check(SamplingDecay{.kind = SamplingKind::linear, .slope = -1}), Catch::Contains("slope -1"));
}

TEST_CASE("teacher forcing reads the reference words, and free running follows the model's own prefix") {
  const tables::TableModel model(next_word());
  const Batch batch = data::make_batch(pairs, {0, 1, 2});
  Random random(1);
  CHECK(drawn_words(model, batch, 1, random).in == batch.targets.in);
  const Targets own = drawn_words(model, batch, 0, random);
  const std::size_t B = batch.size;
  for (std::size_t b = 0; b < B; ++b) {
    int sum = 0;
    for (std::size_t t = 0; t < batch.targets.steps; ++t) {
      const data::Id read = own.in[t * B + b];
      INFO("sentence " << b << " step " << t);
      if (t == 0 || t >= batch.target_lengths[b]) CHECK(read == batch.targets.in[t * B + b]);  // <s> and padding stay
      else CHECK(read == 4 + sum % 4);
      if (t > 0) sum += read;
    }
  }
  CHECK(own.out == batch.targets.out);
}

TEST_CASE("mixed words follow the prefix that was read, and a share of about eps is from the reference") {
  const tables::TableModel model(next_word());
  const std::vector<data::EncodedPair> long_pairs(40,
                                                  // The model never predicts 1.
                                                  data::EncodedPair{{5}, data::Ids(30, 1)});
  data::Indices all(40);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Batch batch = data::make_batch(long_pairs, all);
  Random random(2);
  const Targets mixed = drawn_words(model, batch, .7, random);
  std::size_t true_words = 0;
  for (std::size_t b = 0; b < batch.size; ++b) {
    int sum = 0;
    for (std::size_t t = 1; t < batch.targets.steps; ++t) {
      const data::Id read = mixed.in[t * batch.size + b];
      if (read == 1) ++true_words;
      else CHECK(read == 4 + sum % 4);
      sum += read;
    }
  }
  CHECK(std::abs(static_cast<double>(true_words) / 1200 - .7) < .05);
  Random again(2), other(3);
  CHECK(drawn_words(model, batch, .7, again).in == mixed.in);
  CHECK(drawn_words(model, batch, .7, other).in != mixed.in);
}

TEST_CASE("words are sampled with the model's probabilities") {
  const tables::TableModel model([](data::Id, const data::Ids&) {
    return std::vector<Real>{9, -50, 9, 9, Real(std::log(.5)), Real(std::log(.3)), Real(std::log(.2))};
  });
  const std::vector<data::EncodedPair> long_pairs(200, data::EncodedPair{{5}, data::Ids(30, 1)});
  data::Indices all(200);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Random random(3);
  const Targets drawn = drawn_words(model, data::make_batch(long_pairs, all), 0, random);
  std::map<data::Id, double> share;
  for (std::size_t i = 200; i < drawn.in.size(); ++i) share[drawn.in[i]] += 1. / 6000;
  CHECK(std::abs(share[4] - .5) < .02);
  CHECK(std::abs(share[5] - .3) < .02);
  CHECK(std::abs(share[6] - .2) < .02);
  CHECK(share.size() == 3);
}

TEST_CASE("one pass over the mixed words equals the paper's step-by-step loss") {
  autograd::Params params{Random(3)};
  ModelOptions options;
  options.source_vocabulary = options.target_vocabulary = 9;
  options.embedding = options.hidden = options.attention_size = options.readout = 6;
  const auto model = make_model(options, params);
  const Batch batch = data::make_batch(pairs, {0, 1, 2});
  Random random(4);
  const Targets mixed = drawn_words(*model, batch, .3, random);
  REQUIRE(mixed.in != batch.targets.in);
  const Memory memory = model->encode(batch);
  State state = model->decoder().start(memory);
  const TeacherForced forced = model->decoder().teacher_forced(memory, mixed);
  for (std::size_t t = 0; t < batch.targets.steps; ++t) {
    const auto row = [&](const data::Ids& ids) {
      return data::Ids(ids.begin() + long(t * 3), ids.begin() + long(t * 3 + 3));
    };
    const Step step = model->decoder().step(row(mixed.in), state, memory);
    const Array losses = cross_entropy(step.logits, row(batch.targets.out)).value();
    for (std::size_t b = 0; b < 3; ++b)
      CHECK(forced.losses.value()[t * 3 + b] == Approx(losses[b]).epsilon(1e-4).margin(1e-6));
    state = step.state;
  }
}
