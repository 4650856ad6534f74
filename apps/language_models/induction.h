// reproduce induction: how attention learns to go on as it went on before: Olsson et al. 2022.
#pragma once

#include "apps/experiments/experiment.h"

namespace softalign::apps {

Demonstration induction();

}  // namespace softalign::apps
