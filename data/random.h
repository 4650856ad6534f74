// The data room draws from the same generator as the engine; it is a plain header, nothing of the engine comes with it.
#pragma once

#include "autograd/random.h"

namespace data {
using autograd::Random;
}
