// Real: the one number type of the engine. float in the product; the same sources are built a second time with double
// for the gradient checks. The inline namespace keeps the two apart: a program that mixes them does not link.
#pragma once

#ifdef SOFTALIGN_DOUBLE
#define SOFTALIGN_PRECISION f64
#else
#define SOFTALIGN_PRECISION f32
#endif

namespace autograd::inline SOFTALIGN_PRECISION {
#ifdef SOFTALIGN_DOUBLE
using Real = double;
#else
using Real = float;
#endif
}  // namespace autograd::inline SOFTALIGN_PRECISION
