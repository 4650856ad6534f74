// reproduce positions: what tells attention the order, and lengths beyond training.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration positions();

}  // namespace softalign::apps
