// ThreadTrials: whether a training gets on faster with all its threads or with one of them. Shards wait at the end of a
// step for the slowest of them, and every parallel loop for its last thread; where other programs want the cores too,
// each of these waits may take a time slice of the system's, many times as long as the work. So at times some steps are
// taken the other way, and the way in which more was done in a second is kept.
#pragma once

#include <cstddef>
#include <functional>

namespace softalign::autograd {

class ThreadTrials {
 public:
  // Of a training whose batches are cut into so many shards. With one there is nothing to choose: threads share its
  // products then, and BLAS rounds differently on one thread.
  explicit ThreadTrials(std::size_t shards);

  // One step, that does so much work in any unit (words, say), on all threads or on one. Its numbers are the same.
  void run(double work, const std::function<void()>& step);

  // The rule, which run() feeds with what it measured.
  void add(double work, double seconds);
  bool one_thread() const { return one_ != trying_; }   // how the next step is taken
  bool given_up() const { return one_ && confirmed_; }  // one thread goes on, trials aside

 private:
  struct Rate {
    double steps = 0, work = 0, seconds = 0;
    double per_second() const { return work / seconds; }
  };

  bool choice_;
  bool one_ = false, trying_ = false;
  bool warming_ = true;     // the first step of either way wakes threads and fills caches: it does not count
  bool confirmed_ = false;  // by another trial since the last change
  Rate now_;
  double kept_rate_ = 0;  // of the way that is kept, just before the trial
  double until_trial_;    // seconds
  double wait_ = 1;       // for a trial, times as long as the last one took
};

}  // namespace softalign::autograd
