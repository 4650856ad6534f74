#include "autograd/parallel/thread_trials.h"

#include <chrono>
#include <optional>
#include <utility>

#include "autograd/linalg/blas.h"

namespace autograd {

namespace {

// A rate counts from so many steps, which differ in length, and so many seconds, a few dozen time slices, on.
constexpr double least_steps = 4, least_seconds = 0.2;

constexpr double between_trials = 63;   // times as long as the last one took: a loss of a hundredth at most
constexpr double worth_changing = 1.1;  // times the rate, so that noise changes nothing

}  // namespace

void ThreadTrials::run(double work, const std::function<void()>& step) {
  if (!choice_) return step();
  const auto start = std::chrono::steady_clock::now();
  {
    std::optional<OneThread> alone;
    if (one_thread()) alone.emplace();
    step();
  }
  add(work, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void ThreadTrials::add(double work, double seconds) {
  if (std::exchange(warming_, false)) return;
  now_.steps += 1, now_.work += work, now_.seconds += seconds;
  if (!trying_) until_trial_ -= seconds;
  if (now_.steps < least_steps || now_.seconds < least_seconds) return;
  const Rate rate = std::exchange(now_, {});
  if (!trying_) {
    kept_rate_ = rate.per_second();
    trying_ = warming_ = until_trial_ <= 0;
    return;
  }
  if (rate.per_second() > worth_changing * kept_rate_) one_ = !one_;
  else warming_ = true;  // back to the way that is kept
  trying_ = false;
  until_trial_ = between_trials * rate.seconds;
}

}  // namespace autograd
