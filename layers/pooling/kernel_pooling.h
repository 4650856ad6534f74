// Attention pooling, or kernel regression (Nadaraya 1964, Watson 1964), has a query x and keys x_i with values y_i. It
// returns a weighted mean of the values.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// K(u) is a kernel of the distance in widths, u = w |x - x_i|. All kernels but the Gaussian are 0 from u = 1 on (the
// boxcar beyond it).
//   gaussian e^(-u^2/2)      boxcar 1      epanechnikov 1 - u^2      triangular 1 - u
// Constant factors cancel, so the code leaves them out.
enum class Kernel { gaussian, boxcar, epanechnikov, triangular };

// If the queries are the keys, Own says whether a query may use its own value. If it may, a learned width only becomes
// smaller, because the best guess of a known value is that value.
enum class Own { seen, left_out };  // left_out: query i does not see key i

struct Pooled {
  Var values;   // (M, Dv) f(x_m)
  Var weights;  // (M, N) alpha_mi, rows sum to 1; a row whose kernels are all 0 is 0
};

// f(x) = sum_i alpha(x, x_i) y_i      alpha(x, x_i) = K(w |x - x_i|) / sum_j K(w |x - x_j|)
// x (M, D)   keys (N, D)   values (N, Dv)   w (1) >= 0: 1 / w is the kernel's width; at 0 it is average pooling
// Throws std::invalid_argument if the sizes do not fit.
Pooled kernel_pooling(Kernel kernel, const Var& w, const Var& x, const Var& keys, const Var& values,
                      Own own = Own::seen);

// KernelPooling learns the width of its kernel.
struct KernelPooling {
  Kernel kernel;
  Var w;  // (1) initialised to 1
  KernelPooling(const Params& p, Kernel k)
      : kernel(k), w(p.declare("w", {1}, [](Array& one, Random&) { one.fill(1); })) {}
  Pooled operator()(const Var& x, const Var& keys, const Var& values, Own own = Own::seen) const {
    return kernel_pooling(kernel, w, x, keys, values, own);
  }
};

}  // namespace softalign::layers
