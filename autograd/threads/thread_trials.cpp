#include "autograd/threads/thread_trials.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "autograd/stopwatch.h"
#include "autograd/threads/blas.h"

namespace softalign::autograd {

namespace {

// A rate needs this many steps, because steps differ in length, and this many seconds, which are a few dozen time
// slices.
constexpr double least_steps = 4, least_seconds = 0.2;

// Trials soon become rare, so that they cost a hundredth of the time at most. They begin after most of the memory has
// been allocated, because allocation slows several threads more than one thread. After a change, the next trial follows
// soon.
constexpr double before_first = 2 * least_seconds, most_wait = 63;
constexpr double worth_changing = 1.1;  // times the rate, because a smaller gain may be noise

}  // namespace

ThreadTrials::ThreadTrials(std::size_t shards) : choice_(shards > 1), until_trial_(before_first) {}

void ThreadTrials::run(double work, const std::function<void()>& step) {
  if (!choice_) return step();
  const Stopwatch watch;
  {
    std::optional<ThreadLimit> alone;
    if (one_thread()) alone.emplace(1);
    step();
  }
  add(work, watch.seconds());
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
  confirmed_ = rate.per_second() <= worth_changing * kept_rate_;
  if (confirmed_) warming_ = true;  // the next step returns to the kept way and does not count
  else one_ = !one_;
  wait_ = confirmed_ ? std::min(8 * wait_, most_wait) : 1;
  trying_ = false;
  until_trial_ = wait_ * rate.seconds;
}

}  // namespace softalign::autograd
