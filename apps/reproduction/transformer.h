// Vaswani et al. 2017: attention without recurrence, beside recurrent attention; its heads, positions, norms and
// warm-up.
#pragma once

#include "apps/reproduction/study.h"

namespace softalign::apps {

Study transformer_study();

}  // namespace softalign::apps
