// This file handles SIGINT (Ctrl-C) and SIGTERM in a training. After the first signal, the training completes the
// current step and saves its state. A second signal ends the program at once. A timer also ends it if the step takes
// too long.
#pragma once

#include <functional>
#include <string>

namespace softalign::apps {

// Starts to record these signals. If no step ends in time after a signal, the program prints `resume_command`, the
// command that resumes the training, and ends with status 130.
void listen_for_interrupts(const std::string& resume_command);

// Returns true if a signal has arrived. Call it after every step. It also measures the longest time between two calls,
// because this time shows how long a step or a validation may take on this machine.
bool interrupted();

// While an InterruptSource exists, a function replaces the signals for this thread: interrupted() returns its result,
// and listen_for_interrupts() does nothing. A library uses it, because signals belong to the program that calls the
// library.
class InterruptSource {
 public:
  explicit InterruptSource(std::function<bool()> interrupted);
  ~InterruptSource();
  InterruptSource(const InterruptSource&) = delete;
  InterruptSource& operator=(const InterruptSource&) = delete;
};

}  // namespace softalign::apps
