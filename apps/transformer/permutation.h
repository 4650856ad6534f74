// reproduce permutation: without places attention cannot tell one order from another.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration permutation();

}  // namespace softalign::apps
