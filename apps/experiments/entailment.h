// reproduce entailment: does one sentence follow from another, and from which words: Parikh et al. 2016.
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration entailment();

}  // namespace apps
