// reproduce positions: what tells attention the order, and lengths beyond training.
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration positions();

}  // namespace apps
