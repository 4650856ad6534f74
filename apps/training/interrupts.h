// SIGINT (Ctrl-C) and SIGTERM in a training. The first signal lets the step under way end, so that the state can be
// saved. A second signal ends the program at once, and so does the system's clock where no step ends.
#pragma once

#include <string>

namespace softalign::apps {

// From now on these signals are remembered. If no step ends in time after a signal, the program says so with `go_on`,
// the command that resumes the training, and ends with status 130.
void listen_for_interrupts(const std::string& go_on);

// Whether a signal has arrived. Call it after every step, because the longest time between two calls shows how long a
// step or a validation takes here.
bool interrupted();

}  // namespace softalign::apps
