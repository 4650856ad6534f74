// Direction: which way a whole-sequence op reads its steps.
#pragma once

#include "autograd/storage/real.h"

namespace autograd::inline SOFTALIGN_PRECISION {

enum class Direction { forward, backward };

}  // namespace autograd::inline SOFTALIGN_PRECISION
