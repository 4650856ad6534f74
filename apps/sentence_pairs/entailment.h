// reproduce entailment: does one sentence follow from another, and from which words: Parikh et al. 2016.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration entailment();

}  // namespace softalign::apps
