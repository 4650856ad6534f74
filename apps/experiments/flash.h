// reproduce flash: attention in tiles: time and memory against length (Dao et al. 2022).
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration flash();

}  // namespace apps
