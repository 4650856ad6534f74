// reproduce permutation: without places attention cannot tell one order from another.
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration permutation();

}  // namespace apps
