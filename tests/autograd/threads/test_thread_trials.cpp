// ThreadTrials decides whether to use all threads or one. These tests feed it times, and check what run() does.
#include "autograd/threads/thread_trials.h"

#include <stdexcept>

#include "autograd/threads/blas.h"
#include "autograd/threads/openmp.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

namespace {

// Words per second with all threads and with one.
struct Machine {
  double all, one;
};

// Runs steps of 1 to 3 words for `seconds`. Returns the fraction of the time in which one thread worked.
double time_of_one_thread(ThreadTrials& trials, const Machine& machine, double seconds) {
  double elapsed = 0, of_one = 0;
  for (int step = 0; elapsed < seconds; ++step) {
    const bool one = trials.one_thread();
    const double work = 1 + step % 3, took = work / (one ? machine.one : machine.all);
    trials.add(work, took);
    elapsed += took;
    if (one) of_one += took;
  }
  return of_one / elapsed;
}

constexpr Machine quiet{190, 100}, busy{67, 100};

}  // namespace

TEST_CASE("on an idle machine all threads work, except for trials that take a fiftieth of the time") {
  ThreadTrials trials(2);
  const double part = time_of_one_thread(trials, quiet, 600);
  CHECK(part > 0);
  CHECK(part < 1. / 50);
  CHECK_FALSE(trials.given_up());
}

TEST_CASE("on a busy machine one thread works after two seconds, except for trials") {
  ThreadTrials trials(2);
  CHECK(time_of_one_thread(trials, busy, 2) > .5);
  CHECK(trials.given_up());
  CHECK(time_of_one_thread(trials, busy, 600) > 49. / 50);
  CHECK(trials.given_up());
}

TEST_CASE("the number of threads changes at most half a minute after the machine's load") {
  ThreadTrials trials(2);
  for (int change = 0; change < 3; ++change) {
    time_of_one_thread(trials, quiet, 30);
    CHECK_FALSE(trials.given_up());
    time_of_one_thread(trials, quiet, 100);
    time_of_one_thread(trials, busy, 30);
    CHECK(trials.given_up());
    time_of_one_thread(trials, busy, 100);
  }
}

TEST_CASE("a small gain in speed changes nothing") {
  ThreadTrials trials(2);
  time_of_one_thread(trials, {100, 108}, 200);
  CHECK_FALSE(trials.given_up());
  time_of_one_thread(trials, busy, 30);
  REQUIRE(trials.given_up());
  time_of_one_thread(trials, {108, 100}, 200);
  CHECK(trials.given_up());
}

TEST_CASE("long steps are tried four at a time") {
  ThreadTrials trials(2);
  time_of_one_thread(trials, {.67, 1}, 60);  // words per second, so 1 to 4.5 seconds per step
  CHECK(trials.given_up());
}

TEST_CASE("the first step of each trial does not count") {
  ThreadTrials trials(2);
  const auto steps = [&](int count, double seconds) {
    for (int i = 0; i < count; ++i) trials.add(1, seconds);
  };
  steps(1, 100);
  steps(4, .06);
  CHECK_FALSE(trials.one_thread());  // the first steps still allocate memory
  steps(4, .06);
  REQUIRE(trials.one_thread());
  steps(1, 100);
  steps(4, .05);
  steps(4, .05);
  CHECK(trials.one_thread());
}

TEST_CASE("threads that are slow while they allocate memory work again within a second") {
  ThreadTrials trials(2);
  time_of_one_thread(trials, busy, .75);
  CHECK(trials.one_thread());
  CHECK_FALSE(trials.given_up());  // the decision has not been confirmed yet
  CHECK(time_of_one_thread(trials, quiet, 1) < .7);
  CHECK(time_of_one_thread(trials, quiet, 20) < 1. / 10);
}

TEST_CASE("run() uses the number of threads in the rule, and the requested number stays the same", "[threads]") {
  const int before = threads();
  set_threads(2);
  ThreadTrials trials(2), without_shards(1);
  int steps_of_one = 0;
  const auto observe = [&](bool one) {
    return [&, one] {
      CHECK(threads() == 2);
      CHECK(omp_get_max_threads() == (one ? 1 : 2));
      steps_of_one += one;
    };
  };
  for (int change = 0; change < 2; ++change) {
    trials.run(1, observe(trials.one_thread()));
    while (!trials.one_thread()) trials.add(1, 1);
    trials.run(1, observe(trials.one_thread()));
    CHECK_THROWS_AS(trials.run(1, [] { throw std::runtime_error("diverged"); }), std::runtime_error);
    CHECK(omp_get_max_threads() == 2);
    while (trials.one_thread()) trials.add(1, 10);
  }
  CHECK(steps_of_one == 2);
  for (int step = 0; step < 20; ++step) without_shards.run(1e-9, observe(false));
  set_threads(before);
}
