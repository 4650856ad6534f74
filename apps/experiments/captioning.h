// reproduce captioning: which part of a picture each word of its caption comes from: Xu et al. 2015.
#pragma once

#include "apps/experiments/shown/experiment.h"

namespace apps {

Demonstration captioning();

}  // namespace apps
