// reproduce cnn-attention: what self-attention over the cells of a picture is worth: Zhang et al. 2019, Wang et al.
// 2018.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration cnn_attention();

}  // namespace softalign::apps
