// Real: the one number type of the engine. float in the product; the same sources are built a second time with double
// for the gradient checks. Array and Var stand in an inline namespace of their precision, so that a program that mixes
// the two does not link.
#pragma once

#ifdef SOFTALIGN_DOUBLE
#define SOFTALIGN_PRECISION f64
#else
#define SOFTALIGN_PRECISION f32
#endif

namespace softalign::autograd {
#ifdef SOFTALIGN_DOUBLE
using Real = double;
#else
using Real = float;
#endif
}  // namespace softalign::autograd
