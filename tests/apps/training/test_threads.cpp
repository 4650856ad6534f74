// With another number of threads, results may differ by rounding only. With the same number, they must not differ at
// all.
#include <cmath>
#include <cstdlib>
#include <optional>

#include "apps/run/batched_inference.h"
#include "apps/training/thread_choice.h"
#include "autograd/threads/blas.h"
#include "tests/benchmarks/trainee.h"
#include "tests/benchmarks/workload.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace benchmarks;

// The sizes are those of TOY except for the vocabulary. They are large enough for the loops that use several threads.
const Sizes sizes{"small toy", 600, 64, 128, 128, 32, 10, 10, 1, 1};

// A step takes twenty times as long under a sanitizer or in an emulator. There, 10 steps suffice to find a data race.
const std::size_t many = std::getenv("SOFTALIGN_SLOW") ? 10 : 50;

struct Course {
  std::vector<double> losses;
  std::vector<autograd::Array> parameters;
};

// Trains for `steps` steps with `threads` threads, over five batches in turn.
Course train(const std::string& model, int threads, std::size_t steps) {
  const int before = autograd::threads();
  autograd::set_threads(threads);
  Trainee trainee(model_options(sizes, model, {}, layers::WindowKind::global), 1);
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

// Trains with the shards of two threads; one thread does all the work if `alone`. There are four steps of two batches
// each. In the third step, both batches have a single sentence. Half of the words that the decoder reads come from the
// model.
Course train_shared(bool alone) {
  const int before = autograd::threads();
  autograd::set_threads(2);
  Trainee trainee(model_options(sizes, "rnnsearch", {}, layers::WindowKind::global), 1);
  Sizes single = sizes;
  single.B = 1;
  autograd::Random words(2);
  const models::Objective objective{.teacher_forcing_ratio = .5};
  Course course;
  for (const Sizes& z : {sizes, sizes, single, sizes}) {
    const std::vector<data::Batch> parts{random_batch(z, words), random_batch(z, words)};
    std::optional<autograd::ThreadLimit> one;
    if (alone) one.emplace(1);
    course.losses.push_back(
        seq2seq_step::learn(*trainee.model, trainee.params, trainee.optimiser, parts, objective, {}, trainee.random)
            .loss());
  }
  for (const autograd::Parameter& p : trainee.params.all()) course.parameters.push_back(p.var.value().clone());
  autograd::set_threads(before);
  return course;
}

}  // namespace

TEST_CASE("one thread and two threads give the same losses over fifty steps, to a ten-thousandth") {
  const std::string model = GENERATE(std::string("rnnsearch"), std::string("luong"));
  const Course one = train(model, 1, many), two = train(model, 2, many);
  for (std::size_t step = 0; step < one.losses.size(); ++step) {
    INFO(model << ", step " << step + 1 << ": " << one.losses[step] << " and " << two.losses[step]);
    CHECK(std::abs(two.losses[step] - one.losses[step]) <= 1e-4 * one.losses[step]);
  }
  CHECK(one.losses.back() < one.losses.front());
}

TEST_CASE("the same seed gives the same bits of every loss and parameter on the same number of threads") {
  const int threads = GENERATE(1, 2);
  const std::size_t steps = many / 5;
  const Course first = train("rnnsearch", threads, steps), second = train("rnnsearch", threads, steps);
  CHECK(first.losses == second.losses);
  for (std::size_t p = 0; p < first.parameters.size(); ++p)
    CHECK(compare::same_bits(first.parameters[p], second.parameters[p]));
}

TEST_CASE("sixteen threads on fewer cores give the same bits as on one core") {
  const auto train_16 = [](bool alone) {
    autograd::set_threads(16);
    std::optional<autograd::ThreadLimit> one;
    if (alone) one.emplace(1);
    Trainee trainee(model_options(sizes, "rnnsearch", {}, layers::WindowKind::global), 1);
    autograd::Random words(2);
    Course course;
    for (int step = 0; step < 4; ++step) course.losses.push_back(trainee.learn(random_batch(sizes, words)).loss());
    for (const autograd::Parameter& p : trainee.params.all()) course.parameters.push_back(p.var.value().clone());
    return course;
  };
  const int before = autograd::threads();
  const Course many = train_16(false), alone = train_16(true);
  autograd::set_threads(before);
  CHECK(alone.losses == many.losses);
  for (std::size_t p = 0; p < many.parameters.size(); ++p)
    CHECK(compare::same_bits(alone.parameters[p], many.parameters[p]));
}

TEST_CASE("a note says how many threads have work if some are idle") {
  CHECK(apps::note_of_threads({4, 8}, 16, "pairs") ==
        "note: using 4 of 16 threads: batches of 8 pairs have work for 4\n");
  CHECK(apps::note_of_threads({16, 32}, 16, "pairs").empty());
  CHECK(apps::note_of_threads({2, 1}, 2, "pairs").empty());
}

TEST_CASE("one thread that does the work of two threads gives the same bits of every loss and parameter") {
  const Course two = train_shared(false), alone = train_shared(true);
  CHECK(alone.losses == two.losses);
  for (std::size_t p = 0; p < two.parameters.size(); ++p)
    CHECK(compare::same_bits(alone.parameters[p], two.parameters[p]));
}

TEST_CASE("translations and forced decoding are the same with one thread and with two") {
  Trainee trainee(model_options(sizes, "rnnsearch", {}, layers::WindowKind::global), 3);
  autograd::Random random(4);
  Sizes few = sizes;
  few.B = 7;
  std::vector<data::EncodedPair> sources = random_sources(few, random);
  sources[2].source.resize(3);
  std::vector<data::EncodedPair> pairs;
  for (const data::EncodedPair& pair : sources) pairs.push_back({pair.source, sources[pairs.size() / 2].source});
  const models::BeamOptions options{.beam = 3, .max_length = 8};
  const int before = autograd::threads();
  autograd::set_threads(1);
  const auto found = apps::search(*trainee.model, trainee.params, sources, options);
  const auto forced = apps::teacher_force(*trainee.model, trainee.params, pairs);
  autograd::set_threads(2);
  const auto again = apps::search(*trainee.model, trainee.params, sources, options, 3);
  const auto forced_again = apps::teacher_force(*trainee.model, trainee.params, pairs, 3);
  autograd::set_threads(before);
  REQUIRE(again.size() == sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CHECK(again[i].front().ids == found[i].front().ids);
    CHECK(again[i].front().log_prob == Approx(found[i].front().log_prob).epsilon(1e-4));
    REQUIRE(forced_again[i].log_prob.size() == forced[i].log_prob.size());
    for (std::size_t t = 0; t < forced[i].log_prob.size(); ++t)
      CHECK(forced_again[i].log_prob[t] == Approx(forced[i].log_prob[t]).epsilon(1e-4));
  }
  CHECK(apps::search(*trainee.model, trainee.params, {}, options).empty());
}
