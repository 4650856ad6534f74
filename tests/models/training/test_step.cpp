#include "models/training/step.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "autograd/kernels.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/models/training/student.h"

using namespace softalign;
using namespace student;

namespace {

std::vector<double> losses(autograd::Kernels kernels, std::size_t steps) {
  const autograd::KernelsInForce chosen(kernels);
  const auto pairs = reversed_pairs(160);
  const auto plan = data::plan_batches(pairs, {.sentences = 8}, 1);
  REQUIRE(plan.size() == steps);
  Student student;
  std::vector<double> all;
  for (const data::Indices& indices : plan) all.push_back(student.learn({data::make_batch(pairs, indices)}).loss());
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
    const models::TeacherForced forced = student.model->teacher_forced(alone);
    for (std::size_t t = 0; t < alone.targets.steps; ++t) sum += static_cast<double>(forced.losses.value()[t]);
    words += pairs[i].target.size() + 1;
  }
  const StepResult result = student.learn({batch});
  CHECK(result.words == words);
  CHECK(result.loss() == Approx(sum / static_cast<double>(words)).epsilon(1e-5));
  CHECK(result.gradient_norm > 0);
}

TEST_CASE("a small model memorises a small batch") {
  const auto pairs = reversed_pairs(6);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3, 4, 5});
  Student student;
  for (int step = 0; step < 300; ++step) student.learn({batch}, {.learning_rate = 1e-2});
  CHECK(student.learn({batch}).loss() < 0.05);
}

TEST_CASE("a step with NaN or infinity is refused, and the error names a parameter that stays unchanged") {
  const auto pairs = reversed_pairs(4);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3});
  Student student;
  parameter(student, "readout/b").mutable_value()[0] = std::numeric_limits<autograd::Real>::quiet_NaN();
  const autograd::Array before = parameter(student, "output/W").value().clone();
  try {
    student.learn({batch});
    FAIL("the step was taken");
  } catch (const models::Diverged& error) {
    CHECK_THAT(error.what(), Catch::Contains("the loss is nan") || Catch::Contains("the loss is -nan"));
    CHECK_THAT(error.what(), Catch::Contains("readout/b (16) (its value)"));
  }
  const autograd::Array& after = parameter(student, "output/W").value();
  CHECK(std::equal(before.data(), before.data() + before.size(), after.data()));
  CHECK(student.optimiser.steps() == 0);
  for (const autograd::Parameter& p : student.params.all()) {  // the refused gradient has been cleared
    const autograd::Array gradient = p.var.grad();
    for (const autograd::Real g : gradient.span()) REQUIRE(g == 0);
  }
  CHECK_THROWS_AS(models::check_finite(student.params), models::Diverged);
}

TEST_CASE("several small batches equal one step of a large batch") {
  const auto pairs = reversed_pairs(24);
  const auto batch = [&](std::size_t begin, std::size_t end) {
    data::Indices indices;
    for (std::size_t i = begin; i < end; ++i) indices.push_back(i);
    return data::make_batch(pairs, indices);
  };
  const Update update{.learning_rate = 1e-2};
  const Objective objective{.label_smoothing = .1, .guided_alignment = .5, .coverage = .2};
  const autograd::OptimiserOptions sgd{.kind =
                                           autograd::OptimiserKind::sgd};  // so that parameters change by the gradient
  Student whole(0, sgd), parts(0, sgd);
  for (int step = 0; step < 3; ++step) {
    const StepResult a = whole.learn({batch(0, 24)}, update, objective);
    const StepResult b = parts.learn({batch(0, 9), batch(9, 10), batch(10, 24)}, update, objective);
    const double tolerance = sizeof(autograd::Real) == 8 ? 1e-9 : 1e-4;
    CHECK(b.words == a.words);
    CHECK(b.loss() == Approx(a.loss()).epsilon(tolerance));
    for (std::size_t i = 0; i < a.losses.attention.size(); ++i)
      CHECK(b.losses.attention[i] == Approx(a.losses.attention[i]).epsilon(tolerance));
    CHECK(b.gradient_norm == Approx(a.gradient_norm).epsilon(tolerance));
    for (std::size_t p = 0; p < whole.params.all().size(); ++p) {
      const auto& [name, var] = whole.params.all()[p];
      INFO(name);
      CHECK(compare::relative_error(parts.params.all()[p].var.value(), var.value()) < tolerance);
    }
  }
}

// Two processes compute half of the batches each, and all-reduce adds their gradients.
TEST_CASE("all-reduce comes after every batch and before clipping") {
  Student joined;
  const autograd::Var b = parameter(joined, "readout/b");
  std::vector<std::string> order;
  const auto gradient = [&](std::size_t) {
    order.emplace_back("batch");
    autograd::Array dy = autograd::zeros(b.shape());
    dy[0] = 3;
    b.add_grad(dy);
    return 1.;
  };
  const auto all_reduce = [&] {  // the other process contributes another element
    order.emplace_back("all-reduce");
    b.grad_slot().array[1] += 8;
    return 3.;
  };
  CHECK(models::training_step(joined.params, joined.optimiser, 2, gradient, {.clip = 0}, all_reduce) == Approx(10));
  CHECK(order == std::vector<std::string>{"batch", "batch", "all-reduce"});
  const auto nan = [] { return std::numeric_limits<double>::quiet_NaN(); };
  CHECK_THROWS_AS(models::training_step(joined.params, joined.optimiser, 1, gradient, {}, nan), models::Diverged);
}

TEST_CASE("guided alignment supervises the attention") {
  const auto pairs = reversed_pairs(6);
  const data::Batch batch = data::make_batch(pairs, {0, 1, 2, 3, 4, 5});
  Student student;
  const double before = student.learn({batch}).loss();
  StepResult last;
  for (int step = 0; step < 200; ++step)
    last = student.learn({batch}, {.learning_rate = 1e-2}, {.guided_alignment = 1});
  CHECK(last.loss() < before);
  CHECK(last.losses.attention[0] / static_cast<double>(last.words) < .05);
}
