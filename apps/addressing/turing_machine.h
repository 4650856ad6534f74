// reproduce turing-machine: to copy more than was ever seen, with a memory that heads write and read: Graves, Wayne &
// Danihelka 2014.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration turing_machine();

}  // namespace softalign::apps
