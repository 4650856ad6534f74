#include <cmath>
#include <limits>

#include "apps/support/training_step.h"
#include "autograd/kernels.h"
#include "data/batches.h"
#include "models/factory.h"
#include "tests/catch.h"

namespace {

using namespace apps;

constexpr std::size_t vocabulary = 20;

// Pairs whose target is the source backwards, of mixed lengths.
std::vector<data::EncodedPair> reversed_pairs(std::size_t count) {
  autograd::Random random(7);
  std::vector<data::EncodedPair> pairs(count);
  for (data::EncodedPair& pair : pairs) {
    const std::size_t length = 1 + random.below(6);
    for (std::size_t i = 0; i < length; ++i)
      pair.source.push_back(static_cast<data::Id>(4 + random.below(vocabulary - 4)));
    pair.target.assign(pair.source.rbegin(), pair.source.rend());
  }
  return pairs;
}

struct Student {
  autograd::Params params{autograd::Random(3)};
  std::unique_ptr<models::Seq2Seq> model;
  autograd::Optimiser optimiser;
  autograd::Random dropout{5};

  explicit Student(double dropout_rate = 0)
      : model(models::make_model({.source_vocabulary = vocabulary,
                                  .target_vocabulary = vocabulary,
                                  .embedding = 6,
                                  .hidden = 10,
                                  .attention_size = 7,
                                  .readout = 8,
                                  .dropout = dropout_rate},
                                 params)),
        optimiser(params, {}) {}

  StepResult learn(const data::Batch& batch, double learning_rate = 5e-3) {
    return training_step(*model, params, optimiser, batch, {.learning_rate = learning_rate}, dropout);
  }
};

std::vector<double> losses(autograd::Kernels kernels, std::size_t steps) {
  autograd::set_kernels(kernels);
  const auto pairs = reversed_pairs(160);
  const auto plan = data::plan_batches(pairs, {.sentences = 8}, 1);
  REQUIRE(plan.size() == steps);
  Student student;
  std::vector<double> all;
  for (const data::Indices& indices : plan) all.push_back(student.learn(data::make_batch(pairs, indices)).loss);
  autograd::set_kernels(autograd::Kernels::fused);
  return all;
}

autograd::Var parameter(const Student& student, const std::string& name) {
  for (const autograd::Parameter& p : student.params.all()) {
    if (p.name == name) return p.var;
  }
  FAIL("no parameter " << name);
  return {};
}

}  // namespace

TEST_CASE("twenty steps with composed and with fused kernels give the same losses") {
  const auto fused = losses(autograd::Kernels::fused, 20), composed = losses(autograd::Kernels::composed, 20);
  const double tolerance = sizeof(autograd::Real) == 8 ? 1e-9 : 1e-4;
  for (std::size_t i = 0; i < fused.size(); ++i) {
    INFO("step " << i + 1 << ": " << fused[i] << " and " << composed[i]);
    CHECK(std::abs(fused[i] - composed[i]) <= tolerance * std::abs(composed[i]));
  }
  CHECK(fused.back() < fused.front());
}

TEST_CASE("a step reports the mean loss, the words and the gradient's norm") {
  const auto pairs = reversed_pairs(5);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3, 4});
  Student student;
  double sum = 0;
  std::size_t words = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const data::Batch alone = data::make_batch(pairs, {i});
    const models::Forced forced = student.model->forced(alone);
    for (std::size_t t = 0; t < alone.target_steps; ++t) sum += static_cast<double>(forced.losses.value()[t]);
    words += pairs[i].target.size() + 1;
  }
  const StepResult result = student.learn(batch);
  CHECK(result.words == words);
  CHECK(result.loss == Approx(sum / static_cast<double>(words)).epsilon(1e-5));
  CHECK(result.gradient_norm > 0);
}

TEST_CASE("a small model learns a small batch by heart") {
  const auto pairs = reversed_pairs(6);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3, 4, 5});
  Student student;
  for (int step = 0; step < 300; ++step) student.learn(batch, 1e-2);
  CHECK(student.learn(batch).loss < 0.05);
}

TEST_CASE("a step that is not finite is refused, names the parameter and changes none") {
  const auto pairs = reversed_pairs(4);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3});
  Student student;
  parameter(student, "readout/b").mutable_value()[0] = std::numeric_limits<autograd::Real>::quiet_NaN();
  const autograd::Array before = parameter(student, "output/W").value().clone();
  try {
    student.learn(batch);
    FAIL("the step was taken");
  } catch (const Diverged& error) {
    CHECK_THAT(error.what(), Catch::Contains("the loss is nan") || Catch::Contains("the loss is -nan"));
    CHECK_THAT(error.what(), Catch::Contains("readout/b (16) (its value)"));
  }
  const autograd::Array& after = parameter(student, "output/W").value();
  CHECK(std::equal(before.data(), before.data() + before.size(), after.data()));
  CHECK(student.optimiser.steps() == 0);
  for (const autograd::Parameter& p : student.params.all()) {  // the refused gradient is gone
    for (const autograd::Real g : p.var.grad().span()) REQUIRE(g == 0);
  }
  CHECK_THROWS_AS(check_finite(student.params), Diverged);
}
