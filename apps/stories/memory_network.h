// reproduce memory-network: questions to stories, answered from the sentences that are looked at: Sukhbaatar et al.
// 2015.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration memory_network();

}  // namespace softalign::apps
