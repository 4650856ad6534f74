// reproduce three-ways: recurrence, convolution and self-attention, one layer each: Vaswani et al. 2017, section 4.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration three_ways();

}  // namespace softalign::apps
