// reproduce intra-attention: an LSTM that looks back at its own past: Cheng et al. 2016.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration intra_attention();

}  // namespace softalign::apps
