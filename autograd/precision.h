// Real: the one number type of the engine. The same sources are built a second time with double for the gradient
// checks.
#pragma once

namespace softalign::autograd {

// Array and Var are in an inline namespace named by their precision, so a program that mixes two precisions does not
// link.
#ifdef SOFTALIGN_DOUBLE
#define SOFTALIGN_PRECISION f64
using Real = double;
#else
#define SOFTALIGN_PRECISION f32
using Real = float;
#endif

}  // namespace softalign::autograd
