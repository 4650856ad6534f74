// ThreadTrials finds out whether a training is faster with all threads or with one thread. At the end of each step,
// threads wait for the slowest thread. If other programs use the processor's cores, this wait may take much longer than
// the work. ThreadTrials therefore tries the other choice for a few steps now and then, and keeps the faster choice.
//
// The trials pay when the machine is busy. On two cores with four busy processes, `train --threads 2` processes 5,817
// words/s, and `--threads 1` 5,624. PyTorch, which has no such trials, falls from 2,097 words/s with one thread to 128
// with two (docs/measured/busy.json).
#pragma once

#include <cstddef>
#include <functional>

namespace softalign::autograd {

class ThreadTrials {
 public:
  // `shards` is the number of parts into which the training splits a batch (autograd/threads/shards.h). If `shards` is
  // 1, ThreadTrials always uses all threads. The threads then share matrix products, and with one thread, BLAS would
  // round the products differently.
  explicit ThreadTrials(std::size_t shards);

  // Runs one training step on all threads or on one thread; the results are the same numbers. `work` is the amount of
  // work in the step, in any unit, for example words.
  void run(double work, const std::function<void()>& step);

  // run() calls add() with the measured time of a step, and add() decides whether the next steps use all threads or
  // one. Tests call add() directly.
  void add(double work, double seconds);
  bool one_thread() const { return one_ != trying_; }   // whether the next step uses one thread
  bool given_up() const { return one_ && confirmed_; }  // one thread is kept, except for trials

 private:
  struct Rate {
    double steps = 0, work = 0, seconds = 0;
    double per_second() const { return work / seconds; }
  };

  bool choice_;
  bool one_ = false, trying_ = false;
  bool warming_ = true;     // the first step after a change wakes threads and fills caches, so it does not count
  bool confirmed_ = false;  // true if another trial has confirmed the last change
  Rate now_;
  double kept_rate_ = 0;  // rate of the present choice, just before the trial
  double until_trial_;    // seconds until the next trial
  double wait_ = 1;       // time between two trials, divided by the time of a trial
};

}  // namespace softalign::autograd
