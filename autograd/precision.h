// Real is the number type of the engine. The build compiles the same sources a second time with double, for the
// gradient checks.
#pragma once

namespace softalign::autograd {

// Array and Var are in an inline namespace that has the name of their precision. A program that mixes two precisions
// therefore does not link.
#ifdef SOFTALIGN_DOUBLE
#define SOFTALIGN_PRECISION f64
using Real = double;
#else
#define SOFTALIGN_PRECISION f32
using Real = float;
#endif

}  // namespace softalign::autograd
