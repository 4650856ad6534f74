// ThreadTrials finds out whether a training is faster with all threads or with one. Shards wait at the end of a step
// for the slowest shard, and parallel loops for the last thread. If other programs use the cores, such a wait may take
// a time slice, which is much longer than the work. Therefore some steps are tried the other way now and then, and the
// faster way is kept.
#pragma once

#include <cstddef>
#include <functional>

namespace softalign::autograd {

class ThreadTrials {
 public:
  // For a training with this number of shards per batch. With one shard there is no choice, because threads share its
  // products and BLAS rounds differently on one thread.
  explicit ThreadTrials(std::size_t shards);

  // Runs one step, on all threads or on one, with the same numbers. The amount of work may have any unit, for example
  // words.
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
