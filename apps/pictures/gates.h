// reproduce gates: what gates over the channels and over the cells of a picture are worth: Hu et al. 2018, Woo et al.
// 2018.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration gates();

}  // namespace softalign::apps
