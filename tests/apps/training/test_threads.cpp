// What the number of threads may change: rounding, and nothing else; and nothing at all at the same number.
#include <cmath>

#include "autograd/blas.h"
#include "tests/benchmarks/trainee.h"
#include "tests/benchmarks/workload.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace {

using namespace benchmarks;

// TOY, but for its vocabulary: large enough for the loops that use several threads.
const Sizes sizes{"small toy", 600, 64, 128, 128, 32, 10, 10};

// Under a sanitizer, where a step takes twenty times as long, some are enough to see that nothing is touched twice.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t many = 10;
#else
constexpr std::size_t many = 50;
#endif

struct Course {
  std::vector<double> losses;
  std::vector<autograd::Array> parameters;
};

// As many steps with as many threads, over five batches again and again.
Course train(const std::string& model, int threads, std::size_t steps) {
  const int before = autograd::threads();
  autograd::set_threads(threads);
  Trainee trainee(model_options(sizes, model, "", "global"), 1);
  autograd::Random words(2);
  std::vector<data::Batch> batches;
  for (int i = 0; i < 5; ++i) batches.push_back(random_batch(sizes, words));
  Course course;
  for (std::size_t step = 0; step < steps; ++step)
    course.losses.push_back(trainee.learn(batches[step % batches.size()]).loss());
  for (const autograd::Parameter& p : trainee.params.all()) course.parameters.push_back(p.var.value().clone());
  autograd::set_threads(before);
  return course;
}

}  // namespace

TEST_CASE("over fifty steps one thread and two give the same losses to a ten-thousandth") {
  const std::string model = GENERATE(std::string("rnnsearch"), std::string("luong"));
  const Course one = train(model, 1, many), two = train(model, 2, many);
  for (std::size_t step = 0; step < one.losses.size(); ++step) {
    INFO(model << ", step " << step + 1 << ": " << one.losses[step] << " and " << two.losses[step]);
    CHECK(std::abs(two.losses[step] - one.losses[step]) <= 1e-4 * one.losses[step]);
  }
  CHECK(one.losses.back() < one.losses.front());
}

TEST_CASE("the same seed gives the same bits of every loss and parameter on as many threads") {
  const int threads = GENERATE(1, 2);
  const std::size_t steps = many / 5;
  const Course first = train("rnnsearch", threads, steps), second = train("rnnsearch", threads, steps);
  CHECK(first.losses == second.losses);
  for (std::size_t p = 0; p < first.parameters.size(); ++p)
    CHECK(compare::same_bits(first.parameters[p], second.parameters[p]));
}
