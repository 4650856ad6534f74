// The gradient of a batch depends neither on the number of threads nor on how the batch is split into smaller batches.
#include "models/training/batch_gradient.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "data/corpus/batches.h"
#include "models/registry.h"
#include "tests/catch.h"

using namespace softalign;
using namespace models;

namespace {

const std::vector<data::EncodedPair> corpus{{{5, 6, 7}, {8}, {{1, 0}, {2, 0}}},
                                            {{5}, {6, 7, 8, 9}},
                                            {{9, 9}, {4, 4}, {{0, 0}, {1, 1}}},
                                            {{6}, {7}},
                                            {{8}, {5, 5}, {{0, 1}}}};
const Batch batch = data::make_batch(corpus, {0, 1, 2, 3, 4});
// The large batch has 40 sentences.
const Batch large = [] {
  data::Indices all;
  for (std::size_t i = 0; i < 40; ++i) all.push_back(i % corpus.size());
  return data::make_batch(corpus, all);
}();
constexpr std::size_t words = 15;
const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-4;
const Objective all_losses{.label_smoothing = .1, .guided_alignment = .7, .coverage = .4, .doubly_stochastic = .3};

// A model after add_batch_gradient for all batches, whose gradients are added.
struct Run {
  autograd::Params params{Random(3)};
  std::unique_ptr<Seq2Seq> model;
  SummedLosses losses;
  Run(const std::vector<Batch>& batches, std::size_t shards, const Objective& objective,
      const std::vector<RankSlice>& shares = {{}}) {
    ModelOptions options;
    options.source_vocabulary = options.target_vocabulary = 12;
    options.embedding = options.hidden = options.attention_size = options.readout = 6;
    options.dropout = objective.word_dropout;
    model = make_model(options, params);
    for (const RankSlice& share : shares) {
      Random random(1);  // each process has its own stream
      for (const Batch& b : batches)
        losses += add_batch_gradient(*model, params, b, objective, random, {shards, words, share});
    }
  }
};

void check_same(const Run& a, const Run& b) {
  CHECK(b.losses.words == Approx(a.losses.words).epsilon(tolerance));
  for (std::size_t i = 0; i < a.losses.attention.size(); ++i)
    CHECK(b.losses.attention[i] == Approx(a.losses.attention[i]).epsilon(tolerance));
  for (std::size_t p = 0; p < a.params.all().size(); ++p) {
    const Array &x = a.params.all()[p].var.grad(), &y = b.params.all()[p].var.grad();
    INFO(a.params.all()[p].name);
    REQUIRE(x.defined());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}

}  // namespace

TEST_CASE("one shard and several shards have the same losses and the same gradient", "[gradient]") {
  const std::size_t shards = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{5});
  check_same(Run({large}, 1, {}), Run({large}, shards, {}));
  check_same(Run({large}, 1, all_losses), Run({large}, shards, all_losses));
}

TEST_CASE("a shard has at least two sentences, but no thread of two is idle", "[gradient]") {
  CHECK(autograd::parts_of_batch(32, 1) == 1);
  CHECK(autograd::parts_of_batch(32, 2) == 2);
  CHECK(autograd::parts_of_batch(32, 4) == 4);
  CHECK(autograd::parts_of_batch(32, 16) == 16);
  CHECK(autograd::parts_of_batch(32, 64) == 16);
  CHECK(autograd::parts_of_batch(3, 16) == 2);
  CHECK(autograd::parts_of_batch(32, 2, 4) == 8);  // there are four processes
  CHECK(autograd::parts_of_batch(32, 16, 4) == 16);
  CHECK(autograd::parts_of_batch(4, 1, 4) == 4);

  Objective dropping;
  dropping.word_dropout = .4;  // each shard has its own random stream
  const auto loss = [&](const Batch& of, std::size_t shards) { return Run({of}, shards, dropping).losses.words; };
  CHECK(loss(large, 32) == loss(large, 20));
  CHECK(loss(large, 20) != loss(large, 19));
  CHECK(loss(batch, 16) == loss(batch, 2));
  CHECK(loss(batch, 2) != loss(batch, 1));
}

TEST_CASE("one batch and several accumulated batches have the same losses and the same gradient", "[gradient]") {
  const std::vector<Batch> parts{data::make_batch(corpus, {3}), data::make_batch(corpus, {0, 1, 2}),
                                 data::make_batch(corpus, {4})};
  check_same(Run({batch}, 1, all_losses), Run(parts, 1, all_losses));
}

TEST_CASE("the gradient is the mean over words of word loss, guided alignment, coverage and doubly stochastic loss",
          "[gradient]") {
  const Run run({batch}, 1, all_losses), other({}, 1, {});
  REQUIRE(target_words(batch) == words);
  Random random(1);
  const Training training{random, Real(.1)};
  const TeacherForced forced = other.model->teacher_forced(batch, &training);
  const Var guided = guided_alignment_loss(forced.weights.matrix, batch),
            coverage = coverage_loss(forced.weights.matrix, batch),
            even = doubly_stochastic_loss(forced.weights.matrix, batch);
  CHECK(run.losses.words == Approx(double(sum(forced.losses).value().item())).epsilon(tolerance));
  const std::array<Var, 3> taught{guided, coverage, even};
  for (std::size_t i = 0; i < taught.size(); ++i) {
    INFO(attention_losses()[i].name);
    CHECK(run.losses.attention[i] == Approx(double(taught[i].value().item())).epsilon(tolerance));
    CHECK(run.losses.attention[i] > 0);
  }
  backward((sum(forced.losses) + guided * Real(.7) + coverage * Real(.4) + even * Real(.3)) * (Real(1) / words));
  for (std::size_t p = 0; p < run.params.all().size(); ++p) {
    const Array &x = run.params.all()[p].var.grad(), &y = other.params.all()[p].var.grad();
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}

TEST_CASE("hard attention without samples is soft attention for any number of shards", "[gradient]") {
  Objective hard = all_losses;
  hard.hard_attention = HardAttention{.fraction = 0, .baseline = Array({2}, -1)};
  const Run soft({batch}, 1, all_losses), one({batch}, 1, hard), three({batch}, 3, hard);
  check_same(soft, one);
  check_same(soft, three);
  CHECK(one.losses.reinforcement == 0);
  CHECK(one.losses.rewards.captions == std::vector<double>{5, 5, 3, 1, 1});
  CHECK(three.losses.rewards.captions == one.losses.rewards.captions);
  for (std::size_t t = 0; t < 5; ++t)
    CHECK(three.losses.rewards.sums[t] == Approx(one.losses.rewards.sums[t]).epsilon(tolerance));
  CHECK(-one.losses.rewards.sums[0] == Approx(one.losses.words).epsilon(tolerance));
}

// Xu et al. 2015, eq. 11-12, 14.
TEST_CASE("the gradient with hard attention covers the word loss, the sampled positions and REINFORCE", "[gradient]") {
  Objective hard = all_losses;
  hard.hard_attention = HardAttention{.fraction = .6, .baseline = Array({2}, -1)};
  const Run run({batch}, 1, hard), other({}, 1, {});
  Random random(1), of_shard = Random(random.next()).split(0);
  const Training training{of_shard, Real(.1)};
  std::vector<layers::SampledAttention> glances;
  const TeacherForced forced =
      teacher_forced_with_hard_attention(other.model->decoder(), other.model->encode(batch, &training), batch.targets,
                                         training, *hard.hard_attention, glances);
  std::vector<Var> alphas;
  for (const layers::SampledAttention& glance : glances) alphas.push_back(glance.alpha);
  const Var alpha = concat(alphas, 0);
  Rewards rewards;
  const Var reinforced = reinforcement(forced.losses, batch.targets.out, glances, *hard.hard_attention, rewards);
  CHECK(run.losses.words == Approx(double(sum(forced.losses).value().item())).epsilon(tolerance));
  CHECK(run.losses.reinforcement == Approx(double(reinforced.value().item())).epsilon(tolerance));
  CHECK(run.losses.reinforcement != 0);
  Var all = sum(forced.losses) + reinforced;
  double total = run.losses.words + run.losses.reinforcement;
  for (std::size_t i = 0; i < attention_losses().size(); ++i) {
    const Var taught = attention_losses()[i].of(alpha, batch);
    CHECK(run.losses.attention[i] == Approx(double(taught.value().item())).epsilon(tolerance));
    all = all + taught * static_cast<Real>(hard.*attention_losses()[i].weight);
    total += run.losses.attention[i];
  }
  CHECK(run.losses.total() == Approx(total));
  backward(all * (Real(1) / words));
  for (std::size_t p = 0; p < run.params.all().size(); ++p) {
    const Array &x = run.params.all()[p].var.grad(), &y = other.params.all()[p].var.grad();
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}

TEST_CASE("scheduled sampling changes the input words, in the same way for the same seed", "[gradient]") {
  const Objective untrue{.teacher_forcing_ratio = 0};
  const double truth = Run({batch}, 2, {}).losses.words, sampled = Run({batch}, 2, untrue).losses.words;
  CHECK(truth != sampled);
  CHECK(sampled == Run({batch}, 2, untrue).losses.words);
}

TEST_CASE("the slices of several processes sum to the batch", "[gradient]") {
  const auto check = [](const Batch& of, std::size_t count, std::size_t shards, const Objective& objective) {
    std::vector<RankSlice> shares;
    for (std::size_t i = 0; i < count; ++i) shares.push_back({i, count});
    check_same(Run({of}, count * shards, objective), Run({of}, shards, objective, shares));
  };
  // With dropout, the random numbers of a part must not depend on the process that computes the part.
  const Objective dropping{.word_dropout = .3};
  for (const Objective& objective : {Objective{}, all_losses, dropping})
    for (const auto& [count, shards] : {std::pair(2, 1), std::pair(2, 2), std::pair(5, 1)})
      check(large, std::size_t(count), std::size_t(shards), objective);
  for (const Objective& objective : {Objective{}, all_losses})  // more processes than sentences
    check(batch, 7, 1, objective);
  for (std::size_t i = 0; i < batch.size; ++i) CHECK(Run({batch}, 1, {}, {{i, batch.size}}).losses.words > 0);
}

TEST_CASE("a slice of a small batch may be empty, and its random numbers are the same", "[gradient]") {
  const Run nothing({data::make_batch(corpus, {0})}, 1, {}, {{0, 3}});
  CHECK(nothing.losses.words == 0);
  for (const auto& p : nothing.params.all()) CHECK(!p.var.grad().defined());
  Random empty(1), full(1);
  const Run model({}, 1, {});
  add_batch_gradient(*model.model, model.params, data::make_batch(corpus, {0}), {}, empty,
                     {.words = words, .slice = {0, 3}});
  add_batch_gradient(*model.model, model.params, data::make_batch(corpus, {0}), {}, full, {.words = words});
  CHECK(empty.next() == full.next());
}
