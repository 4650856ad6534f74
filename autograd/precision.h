// Real is the number type of the engine: float in the normal build. The gradient checks use a second build with double.
#pragma once

namespace softalign::autograd {

// Array and Var are in an inline namespace with the name of the precision, f32 or f64. If a program mixes the
// precisions, the linker therefore reports an error.
#ifdef SOFTALIGN_DOUBLE
#define SOFTALIGN_PRECISION f64
using Real = double;
#else
#define SOFTALIGN_PRECISION f32
using Real = float;
#endif

}  // namespace softalign::autograd
