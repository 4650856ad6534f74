// Attention pooling, also called kernel regression (Nadaraya 1964, Watson 1964), has a query x and keys x_i with values
// y_i. It returns a weighted mean of the values. A key near the query gets a large weight.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// A kernel K(u) turns a distance u = w |x - x_i|, in units of the kernel's width 1/w, into a weight. The kernels
// epanechnikov and triangular are 0 for u >= 1, and boxcar is 0 for u > 1. Constant factors cancel when the weights are
// divided by their sum, so the code leaves them out.
//   gaussian e^(-u^2/2)      boxcar 1      epanechnikov 1 - u^2      triangular 1 - u
enum class Kernel { gaussian, boxcar, epanechnikov, triangular };

// If the keys are also the queries, LeaveOneOut says whether each query leaves out its own value. If a query keeps its
// own value, this value is the best prediction of itself. Training then makes the kernel ever narrower, until each
// query sees only itself.
enum class LeaveOneOut { no, yes };  // yes: query i does not see key i

struct Pooled {
  Var values;   // (M, Dv) f(x_m)
  Var weights;  // (M, N) alpha_mi, rows sum to 1; a row whose kernels are all 0 is 0
};

// Returns f(x), the weighted mean of N values y_i, for each of M queries x. A key x_i has the weight alpha(x, x_i). A
// query or key has D numbers, and a value has Dv numbers. The number w >= 0 is the reciprocal of the kernel's width.
// With w = 0, all keys have the same weight (average pooling).
// f(x) = sum_i alpha(x, x_i) y_i      alpha(x, x_i) = K(w |x - x_i|) / sum_j K(w |x - x_j|)
// x (M, D)   keys (N, D)   values (N, Dv)
// Throws std::invalid_argument if the sizes do not fit.
Pooled kernel_pooling(Kernel kernel, const Var& w, const Var& x, const Var& keys, const Var& values,
                      LeaveOneOut leave_one_out = LeaveOneOut::no);

// KernelPooling learns the width of its kernel.
struct KernelPooling {
  Kernel kernel;
  Var w;  // (1) initialised to 1
  KernelPooling(const Params& p, Kernel k)
      : kernel(k), w(p.declare("w", {1}, [](Array& one, Random&) { one.fill(1); })) {}
  Pooled operator()(const Var& x, const Var& keys, const Var& values,
                    LeaveOneOut leave_one_out = LeaveOneOut::no) const {
    return kernel_pooling(kernel, w, x, keys, values, leave_one_out);
  }
};

}  // namespace softalign::layers
