// reproduce flash: attention in tiles: time and memory against length (Dao et al. 2022).
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration flash();

}  // namespace softalign::apps
