// This file handles SIGINT (Ctrl-C) and SIGTERM in a training. After the first signal, the training completes the
// current step and saves its state. A second signal ends the program at once. A timer also ends it if the step takes
// too long.
#pragma once

#include <functional>
#include <string>

namespace softalign::apps {

// Starts to handle SIGINT and SIGTERM. If the current step does not end in time after the first signal, the program
// prints `resume_command`, the command that resumes the training, and ends with status 130. If a process of a training
// in several processes fails, mpirun sends SIGTERM to the others. Therefore a process that speaks for others prints a
// note when SIGTERM arrives.
void listen_for_interrupts(const std::string& resume_command, bool speaks_for_others = false);

// Returns true if a signal has arrived. Call it after every step. The function also measures the longest time between
// two calls. From this time, it estimates how long the program must wait for a step or a validation after a signal.
bool interrupted();

// While an InterruptSource exists, this thread does not handle signals: interrupted() returns the result of the
// function that the constructor got, and listen_for_interrupts() does nothing. A library uses it, because signals
// belong to the program that calls the library.
class InterruptSource {
 public:
  explicit InterruptSource(std::function<bool()> interrupted);
  ~InterruptSource();
  InterruptSource(const InterruptSource&) = delete;
  InterruptSource& operator=(const InterruptSource&) = delete;
};

}  // namespace softalign::apps
