// reproduce pooling: attention as kernel regression: Nadaraya 1964, Watson 1964.
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration pooling();

}  // namespace apps
