// reproduce fast-weights: what a matrix of fast weights holds, and how it forgets: Schlag et al. 2021.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration fast_weights();

}  // namespace softalign::apps
