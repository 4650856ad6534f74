// reproduce captioning: which part of a picture each word of its caption comes from: Xu et al. 2015.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration captioning();

}  // namespace softalign::apps
