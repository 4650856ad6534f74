// The gradient of a batch does not depend on how many threads share its sentences, nor on how many batches it comes in.
#include "models/training/gradient.h"

#include "autograd/backward.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "data/corpus/batches.h"
#include "models/registry.h"
#include "tests/catch.h"

using namespace models;

namespace {

const std::vector<data::EncodedPair> corpus{{{5, 6, 7}, {8}, {{1, 0}, {2, 0}}},
                                            {{5}, {6, 7, 8, 9}},
                                            {{9, 9}, {4, 4}, {{0, 0}, {1, 1}}},
                                            {{6}, {7}},
                                            {{8}, {5, 5}, {{0, 1}}}};
const Batch batch = data::make_batch(corpus, {0, 1, 2, 3, 4});
constexpr std::size_t words = 15;
const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-4;
const Objective all_losses{.label_smoothing = .1, .guided_alignment = .7, .coverage = .4, .doubly_stochastic = .3};

// A model with its gradient after the batches, which are taken to add up to one.
struct Run {
  autograd::Params params{Random(3)};
  std::unique_ptr<Seq2Seq> model;
  LossSums losses;
  Run(const std::vector<Batch>& batches, std::size_t shards, const Objective& objective) {
    ModelOptions options;
    options.source_vocabulary = options.target_vocabulary = 12;
    options.embedding = options.hidden = options.attention_size = options.readout = 6;
    options.dropout = 0;
    model = make_model(options, params);
    Random random(1);
    for (const Batch& b : batches) losses += add_gradient(*model, params, b, objective, random, shards, words);
  }
};

void check_same(const Run& a, const Run& b) {
  CHECK(b.losses.words == Approx(a.losses.words).epsilon(tolerance));
  CHECK(b.losses.guided_alignment == Approx(a.losses.guided_alignment).epsilon(tolerance));
  CHECK(b.losses.coverage == Approx(a.losses.coverage).epsilon(tolerance));
  CHECK(b.losses.doubly_stochastic == Approx(a.losses.doubly_stochastic).epsilon(tolerance));
  for (std::size_t p = 0; p < a.params.all().size(); ++p) {
    const Array &x = a.params.all()[p].var.grad(), &y = b.params.all()[p].var.grad();
    INFO(a.params.all()[p].name);
    REQUIRE(x.defined());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}

}  // namespace

TEST_CASE("one shard or several: the same losses and the same gradient", "[gradient]") {
  const std::size_t shards = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{8});
  check_same(Run({batch}, 1, {}), Run({batch}, shards, {}));
  check_same(Run({batch}, 1, all_losses), Run({batch}, shards, all_losses));
}

TEST_CASE("one batch or several that add up to it: the same losses and the same gradient", "[gradient]") {
  const std::vector<Batch> parts{data::make_batch(corpus, {3}), data::make_batch(corpus, {0, 1, 2}),
                                 data::make_batch(corpus, {4})};
  check_same(Run({batch}, 1, all_losses), Run(parts, 1, all_losses));
}

TEST_CASE("the gradient is that of words, guided alignment, coverage and even looks together, a mean over the words",
          "[gradient]") {
  const Run run({batch}, 1, all_losses), other({}, 1, {});
  REQUIRE(target_words(batch) == words);
  Random random(1);
  const Training training{random, Real(.1)};
  const Forced forced = other.model->forced(batch, &training);
  const Var guided = guided_alignment_loss(forced.weights.alignment, batch),
            coverage = coverage_loss(forced.weights.alignment, batch),
            even = doubly_stochastic_loss(forced.weights.alignment, batch);
  CHECK(run.losses.words == Approx(double(sum(forced.losses).value().item())).epsilon(tolerance));
  CHECK(run.losses.guided_alignment == Approx(double(guided.value().item())).epsilon(tolerance));
  CHECK(run.losses.coverage == Approx(double(coverage.value().item())).epsilon(tolerance));
  CHECK(run.losses.doubly_stochastic == Approx(double(even.value().item())).epsilon(tolerance));
  CHECK(run.losses.guided_alignment > 0);
  CHECK(run.losses.coverage > 0);
  backward((sum(forced.losses) + guided * Real(.7) + coverage * Real(.4) + even * Real(.3)) * (Real(1) / words));
  for (std::size_t p = 0; p < run.params.all().size(); ++p) {
    const Array &x = run.params.all()[p].var.grad(), &y = other.params.all()[p].var.grad();
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == Approx(x[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}

TEST_CASE("sampled words change what is read, the same way for the same seed", "[gradient]") {
  const Objective untrue{.true_words = 0};
  const double truth = Run({batch}, 2, {}).losses.words, sampled = Run({batch}, 2, untrue).losses.words;
  CHECK(truth != sampled);
  CHECK(sampled == Run({batch}, 2, untrue).losses.words);
}
