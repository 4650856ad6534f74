// SIGINT (Ctrl-C) and SIGTERM in a training. After the first signal, the current step ends and the state is saved. A
// second signal ends the program at once, and so does a timer if no step ends.
#pragma once

#include <string>

namespace softalign::apps {

// Starts to record these signals. If no step ends in time after a signal, the program prints `go_on`, the command that
// resumes the training, and ends with status 130.
void listen_for_interrupts(const std::string& go_on);

// Whether a signal has arrived. Call it after every step, because the longest time between two calls shows how long a
// step or a validation takes here.
bool interrupted();

}  // namespace softalign::apps
