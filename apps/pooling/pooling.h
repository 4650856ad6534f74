// reproduce pooling: attention as kernel regression: Nadaraya 1964, Watson 1964.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration pooling();

}  // namespace softalign::apps
